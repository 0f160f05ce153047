DROP TABLE judged_pair
--
DROP TABLE failure_note
--
CREATE TABLE judged_pair (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reference TEXT NOT NULL,
    answer TEXT NOT NULL,
    judgement TEXT NOT NULL,
    judged_by TEXT NOT NULL,
    judged_utc TEXT NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    kind TEXT DEFAULT 'person' NOT NULL,
    CONSTRAINT pk_judged_pair PRIMARY KEY (id),
    CONSTRAINT ck_judged_pair_judgement CHECK (judgement IN ('same', 'related', 'different', 'unsure')),
    CONSTRAINT ck_judged_pair_kind CHECK (kind IN ('person', 'program')),
    CONSTRAINT uq_judged_pair_study_id_reference_answer_judged_by UNIQUE (study_id, reference, answer, judged_by),
    CONSTRAINT fk_judged_pair_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE prediction_judgement (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    prediction_id VARCHAR(36) NOT NULL,
    judged_by TEXT NOT NULL,
    details TEXT NOT NULL,
    CONSTRAINT pk_prediction_judgement PRIMARY KEY (id),
    CONSTRAINT uq_prediction_judgement_prediction_id_judged_by UNIQUE (prediction_id, judged_by),
    CONSTRAINT fk_prediction_judgement_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_prediction_judgement_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id)
)
--
CREATE TABLE failure_tag (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    retired BOOLEAN NOT NULL,
    CONSTRAINT pk_failure_tag PRIMARY KEY (id),
    CONSTRAINT uq_failure_tag_study_id_name UNIQUE (study_id, name),
    CONSTRAINT fk_failure_tag_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE failure_note (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    prediction_set_id VARCHAR(36),
    reader_code TEXT DEFAULT '' NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    part TEXT DEFAULT '' NOT NULL,
    rank INTEGER,
    tag TEXT NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    made_by TEXT NOT NULL,
    made_utc TEXT NOT NULL,
    CONSTRAINT pk_failure_note PRIMARY KEY (id),
    CONSTRAINT ck_failure_note_part CHECK (part IN ('', 'prediction', 'gold')),
    CONSTRAINT fk_failure_note_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_failure_note_prediction_set_id FOREIGN KEY(prediction_set_id) REFERENCES prediction_set (id),
    CONSTRAINT fk_failure_note_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_failure_note_prediction_set_id_slice_id ON failure_note (prediction_set_id, slice_id)
--
CREATE TABLE saved_filter (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    name TEXT NOT NULL,
    words TEXT NOT NULL,
    made_utc TEXT NOT NULL,
    CONSTRAINT pk_saved_filter PRIMARY KEY (id),
    CONSTRAINT uq_saved_filter_study_id_name UNIQUE (study_id, name),
    CONSTRAINT fk_saved_filter_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
