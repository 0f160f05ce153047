CREATE TABLE adjudication_view (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    stage INTEGER NOT NULL,
    kind TEXT NOT NULL,
    started_utc TEXT NOT NULL,
    process TEXT NOT NULL,
    started DOUBLE NOT NULL,
    ended DOUBLE NOT NULL,
    last_input DOUBLE NOT NULL,
    focused_seconds DOUBLE NOT NULL,
    "view" TEXT NOT NULL,
    CONSTRAINT pk_adjudication_view PRIMARY KEY (id),
    CONSTRAINT ck_adjudication_view_kind CHECK (kind IN ('visible', 'first-mark', 'pause')),
    CONSTRAINT uq_adjudication_view_reader_id_number UNIQUE (reader_id, number),
    CONSTRAINT fk_adjudication_view_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_adjudication_view_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_adjudication_view_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_adjudication_view_reader_id_slice_id ON adjudication_view (reader_id, slice_id)
--
CREATE TABLE decision_box_origin (
    decision_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    box_id VARCHAR(36) NOT NULL,
    group_number INTEGER,
    CONSTRAINT pk_decision_box_origin PRIMARY KEY (decision_id, number),
    CONSTRAINT fk_decision_box_origin_decision_id FOREIGN KEY(decision_id) REFERENCES decision (id),
    CONSTRAINT fk_decision_box_origin_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE decision_caption (
    decision_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    sequences TEXT DEFAULT '[]' NOT NULL,
    plane TEXT,
    normality TEXT,
    caption_text TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_decision_caption PRIMARY KEY (decision_id),
    CONSTRAINT ck_decision_caption_normality CHECK (normality IN ('normal', 'abnormal')),
    CONSTRAINT fk_decision_caption_decision_id FOREIGN KEY(decision_id) REFERENCES decision (id),
    CONSTRAINT fk_decision_caption_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TRIGGER decision_box_origin_closed_insert BEFORE INSERT ON "decision_box_origin" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_box_origin_closed_update BEFORE UPDATE ON "decision_box_origin" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) OR EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_box_origin_closed_delete BEFORE DELETE ON "decision_box_origin" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_caption_closed_insert BEFORE INSERT ON "decision_caption" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_caption_closed_update BEFORE UPDATE ON "decision_caption" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) OR EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_caption_closed_delete BEFORE DELETE ON "decision_caption" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER adjudication_view_grows_update BEFORE UPDATE ON "adjudication_view" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER adjudication_view_grows_delete BEFORE DELETE ON "adjudication_view" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
