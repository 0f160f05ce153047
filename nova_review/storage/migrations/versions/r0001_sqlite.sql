CREATE TABLE study (
    id VARCHAR(36) NOT NULL,
    title TEXT NOT NULL,
    phase TEXT NOT NULL,
    is_demo BOOLEAN NOT NULL,
    seed TEXT NOT NULL,
    created_utc TEXT NOT NULL,
    closed_utc TEXT,
    made_by TEXT NOT NULL,
    CONSTRAINT pk_study PRIMARY KEY (id),
    CONSTRAINT ck_study_phase CHECK (phase IN ('setup', 'reading', 'database locked', 'unblinded'))
)
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
    CONSTRAINT pk_judged_pair PRIMARY KEY (id),
    CONSTRAINT ck_judged_pair_judgement CHECK (judgement IN ('same', 'related', 'different')),
    CONSTRAINT uq_judged_pair_study_id_reference_answer_judged_by UNIQUE (study_id, reference, answer, judged_by),
    CONSTRAINT fk_judged_pair_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE audit_log (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    actor VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    who TEXT NOT NULL,
    at_utc TEXT NOT NULL,
    reason TEXT NOT NULL,
    details TEXT NOT NULL,
    CONSTRAINT pk_audit_log PRIMARY KEY (id),
    CONSTRAINT uq_audit_log_study_id_actor_number UNIQUE (study_id, actor, number),
    CONSTRAINT fk_audit_log_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE protocol (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    hash TEXT NOT NULL,
    locked_utc TEXT,
    amendment_reason TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_protocol PRIMARY KEY (id),
    CONSTRAINT uq_protocol_study_id_version UNIQUE (study_id, version),
    CONSTRAINT fk_protocol_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE data_set (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    code TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    citation TEXT DEFAULT '' NOT NULL,
    licence TEXT DEFAULT '' NOT NULL,
    has_gold BOOLEAN NOT NULL,
    CONSTRAINT pk_data_set PRIMARY KEY (id),
    CONSTRAINT uq_data_set_study_id_code UNIQUE (study_id, code),
    CONSTRAINT fk_data_set_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE reader (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    code TEXT NOT NULL,
    kind TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    created_utc TEXT NOT NULL,
    CONSTRAINT pk_reader PRIMARY KEY (id),
    CONSTRAINT ck_reader_kind CHECK (kind IN ('study', 'data-set', 'adjudicator')),
    CONSTRAINT uq_reader_study_id_code UNIQUE (study_id, code),
    CONSTRAINT fk_reader_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE setting (
    owner VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    name VARCHAR(128) NOT NULL,
    value TEXT NOT NULL,
    CONSTRAINT pk_setting PRIMARY KEY (owner, name),
    CONSTRAINT fk_setting_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE prediction_set (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT DEFAULT '' NOT NULL,
    convention TEXT DEFAULT '' NOT NULL,
    details TEXT DEFAULT '{}' NOT NULL,
    added_utc TEXT NOT NULL,
    CONSTRAINT pk_prediction_set PRIMARY KEY (id),
    CONSTRAINT ck_prediction_set_kind CHECK (kind IN ('model', 'reader', 'run')),
    CONSTRAINT uq_prediction_set_study_id_name UNIQUE (study_id, name),
    CONSTRAINT fk_prediction_set_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE remark (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT pk_remark PRIMARY KEY (id),
    CONSTRAINT uq_remark_study_id_ordinal UNIQUE (study_id, ordinal),
    CONSTRAINT fk_remark_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE deviation (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    note TEXT NOT NULL,
    presentation_id TEXT,
    at_utc TEXT NOT NULL,
    CONSTRAINT pk_deviation PRIMARY KEY (id),
    CONSTRAINT ck_deviation_kind CHECK (kind IN ('interrupted', 'unblinded', 'crash', 'note')),
    CONSTRAINT uq_deviation_reader_id_number UNIQUE (reader_id, number),
    CONSTRAINT fk_deviation_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_deviation_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id)
)
--
CREATE TABLE stage (
    protocol_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    arm VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    level TEXT NOT NULL,
    shows TEXT NOT NULL,
    asks TEXT NOT NULL,
    sentence TEXT NOT NULL,
    CONSTRAINT pk_stage PRIMARY KEY (protocol_id, arm, number),
    CONSTRAINT fk_stage_protocol_id FOREIGN KEY(protocol_id) REFERENCES protocol (id),
    CONSTRAINT fk_stage_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE study_case (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    data_set_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    CONSTRAINT pk_study_case PRIMARY KEY (id),
    CONSTRAINT uq_study_case_data_set_id_ordinal UNIQUE (data_set_id, ordinal),
    CONSTRAINT fk_study_case_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_study_case_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id)
)
--
CREATE TABLE data_set_folder (
    data_set_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    root TEXT NOT NULL,
    relative_root TEXT,
    CONSTRAINT pk_data_set_folder PRIMARY KEY (data_set_id),
    CONSTRAINT fk_data_set_folder_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id),
    CONSTRAINT fk_data_set_folder_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE reader_name (
    reader_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_reader_name PRIMARY KEY (reader_id),
    CONSTRAINT uq_reader_name_study_id_name UNIQUE (study_id, name),
    CONSTRAINT fk_reader_name_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_reader_name_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE oddity (
    data_set_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    severity TEXT NOT NULL,
    code TEXT NOT NULL,
    file TEXT NOT NULL,
    "row" INTEGER,
    value TEXT NOT NULL,
    message TEXT NOT NULL,
    CONSTRAINT pk_oddity PRIMARY KEY (data_set_id, ordinal),
    CONSTRAINT ck_oddity_severity CHECK (severity IN ('warning', 'error')),
    CONSTRAINT fk_oddity_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id),
    CONSTRAINT fk_oddity_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE pack (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    made_utc TEXT NOT NULL,
    protocol_hash TEXT NOT NULL,
    merged_utc TEXT,
    conflicts TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_pack PRIMARY KEY (id),
    CONSTRAINT fk_pack_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_pack_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id)
)
--
CREATE TABLE case_decision (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER DEFAULT '1' NOT NULL,
    state TEXT NOT NULL,
    diagnosis TEXT NOT NULL,
    provenance TEXT NOT NULL,
    adjudicator_id VARCHAR(36),
    visible TEXT NOT NULL,
    reason_code TEXT DEFAULT '' NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    decided_utc TEXT,
    CONSTRAINT pk_case_decision PRIMARY KEY (id),
    CONSTRAINT ck_case_decision_state CHECK (state IN ('draft', 'deferred', 'closed', 'reopened', 'withdrawn')),
    CONSTRAINT uq_case_decision_case_id_version UNIQUE (case_id, version),
    CONSTRAINT fk_case_decision_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_case_decision_case_id FOREIGN KEY(case_id) REFERENCES study_case (id),
    CONSTRAINT fk_case_decision_adjudicator_id FOREIGN KEY(adjudicator_id) REFERENCES reader (id)
)
--
CREATE TABLE reading (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    arm VARCHAR(64) NOT NULL,
    occasion VARCHAR(16) NOT NULL,
    role TEXT NOT NULL,
    imported BOOLEAN NOT NULL,
    seen_before BOOLEAN NOT NULL,
    revealed_utc TEXT,
    created_utc TEXT NOT NULL,
    withdrawn_utc TEXT,
    withdrawn_by TEXT DEFAULT '' NOT NULL,
    withdrawn_reason TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_reading PRIMARY KEY (id),
    CONSTRAINT ck_reading_role CHECK (role IN ('training', 'main', 'repeat')),
    CONSTRAINT ck_reading_occasion CHECK (occasion IN ('first', 'repeat')),
    CONSTRAINT uq_reading_reader_id_case_id_arm_occasion UNIQUE (reader_id, case_id, arm, occasion),
    CONSTRAINT fk_reading_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_reading_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_reading_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE INDEX ix_reading_case_id ON reading (case_id)
--
CREATE TABLE slice (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    data_set_id VARCHAR(36) NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    number INTEGER NOT NULL,
    image_state TEXT NOT NULL,
    width INTEGER,
    height INTEGER,
    side_convention TEXT DEFAULT 'unknown' NOT NULL,
    CONSTRAINT pk_slice PRIMARY KEY (id),
    CONSTRAINT ck_slice_image_state CHECK (image_state IN ('usable', 'missing', 'damaged', 'refused')),
    CONSTRAINT uq_slice_data_set_id_ordinal UNIQUE (data_set_id, ordinal),
    CONSTRAINT uq_slice_case_id_number UNIQUE (case_id, number),
    CONSTRAINT fk_slice_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_slice_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id),
    CONSTRAINT fk_slice_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE TABLE question (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    text TEXT NOT NULL,
    CONSTRAINT pk_question PRIMARY KEY (id),
    CONSTRAINT uq_question_case_id_number_round UNIQUE (case_id, number, round),
    CONSTRAINT fk_question_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_question_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE TABLE presentation (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    position INTEGER NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    stages TEXT NOT NULL,
    unit TEXT NOT NULL,
    arm TEXT NOT NULL,
    role TEXT NOT NULL,
    occasion TEXT NOT NULL,
    opens_utc TEXT,
    CONSTRAINT pk_presentation PRIMARY KEY (id),
    CONSTRAINT ck_presentation_position CHECK (position >= 1),
    CONSTRAINT ck_presentation_role CHECK (role IN ('training', 'main', 'repeat')),
    CONSTRAINT ck_presentation_occasion CHECK (occasion IN ('first', 'repeat')),
    CONSTRAINT uq_presentation_reader_id_position UNIQUE (reader_id, position),
    CONSTRAINT fk_presentation_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_presentation_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_presentation_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE INDEX ix_presentation_reader_id_case_id ON presentation (reader_id, case_id)
--
CREATE TABLE case_prediction (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    prediction_set_id VARCHAR(36) NOT NULL,
    case_id VARCHAR(36) NOT NULL,
    question INTEGER DEFAULT '1' NOT NULL,
    round INTEGER DEFAULT '1' NOT NULL,
    attempt INTEGER DEFAULT '1' NOT NULL,
    rationale TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_case_prediction PRIMARY KEY (id),
    CONSTRAINT uq_case_prediction_prediction_set_id_case_id_question_round_attempt UNIQUE (prediction_set_id, case_id, question, round, attempt),
    CONSTRAINT fk_case_prediction_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_case_prediction_prediction_set_id FOREIGN KEY(prediction_set_id) REFERENCES prediction_set (id),
    CONSTRAINT fk_case_prediction_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE TABLE case_history (
    case_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    clinical_history TEXT NOT NULL,
    CONSTRAINT pk_case_history PRIMARY KEY (case_id),
    CONSTRAINT fk_case_history_case_id FOREIGN KEY(case_id) REFERENCES study_case (id),
    CONSTRAINT fk_case_history_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE case_secret (
    case_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    data_set_id VARCHAR(36) NOT NULL,
    code TEXT NOT NULL,
    title TEXT,
    publication_date TEXT,
    differential_diagnosis TEXT,
    final_diagnosis TEXT,
    link TEXT,
    CONSTRAINT pk_case_secret PRIMARY KEY (case_id),
    CONSTRAINT uq_case_secret_data_set_id_code UNIQUE (data_set_id, code),
    CONSTRAINT fk_case_secret_case_id FOREIGN KEY(case_id) REFERENCES study_case (id),
    CONSTRAINT fk_case_secret_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_case_secret_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id)
)
--
CREATE TABLE gold_box (
    data_set_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL,
    width DOUBLE NOT NULL,
    height DOUBLE NOT NULL,
    CONSTRAINT pk_gold_box PRIMARY KEY (data_set_id, ordinal),
    CONSTRAINT fk_gold_box_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id),
    CONSTRAINT fk_gold_box_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_gold_box_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_gold_box_slice_id ON gold_box (slice_id)
--
CREATE TABLE view_log (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    presentation_id VARCHAR(36) NOT NULL,
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
    CONSTRAINT pk_view_log PRIMARY KEY (id),
    CONSTRAINT ck_view_log_kind CHECK (kind IN ('visible', 'first-mark', 'pause')),
    CONSTRAINT uq_view_log_reader_id_number UNIQUE (reader_id, number),
    CONSTRAINT fk_view_log_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_view_log_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_view_log_presentation_id FOREIGN KEY(presentation_id) REFERENCES presentation (id),
    CONSTRAINT fk_view_log_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_view_log_reader_id_slice_id ON view_log (reader_id, slice_id)
--
CREATE INDEX ix_view_log_presentation_id ON view_log (presentation_id)
--
CREATE TABLE slice_answer (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    reading_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER DEFAULT '1' NOT NULL,
    state TEXT NOT NULL,
    reopen_reason TEXT DEFAULT '' NOT NULL,
    outcome TEXT,
    cannot_read_reason TEXT DEFAULT '' NOT NULL,
    sequences TEXT DEFAULT '[]' NOT NULL,
    plane TEXT,
    normality TEXT,
    caption_text TEXT DEFAULT '' NOT NULL,
    caption_copied_from TEXT,
    presentation_id VARCHAR(36),
    position INTEGER,
    unit TEXT DEFAULT '' NOT NULL,
    stage INTEGER NOT NULL,
    visible TEXT NOT NULL,
    siblings_seen TEXT DEFAULT '[]' NOT NULL,
    imported BOOLEAN NOT NULL,
    started_utc TEXT,
    saved_utc TEXT,
    closed_utc TEXT,
    submitted_utc TEXT,
    withdrawn_utc TEXT,
    active_seconds DOUBLE,
    first_mark_seconds DOUBLE,
    sitting_minutes DOUBLE,
    CONSTRAINT pk_slice_answer PRIMARY KEY (id),
    CONSTRAINT ck_slice_answer_version CHECK (version >= 1),
    CONSTRAINT ck_slice_answer_state CHECK (state IN ('draft', 'deferred', 'locked', 'submitted', 'reopened', 'withdrawn')),
    CONSTRAINT ck_slice_answer_outcome CHECK (outcome IN ('findings', 'no-finding', 'cannot-be-read')),
    CONSTRAINT ck_slice_answer_normality CHECK (normality IN ('normal', 'abnormal')),
    CONSTRAINT uq_slice_answer_reading_id_slice_id_version UNIQUE (reading_id, slice_id, version),
    CONSTRAINT fk_slice_answer_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_slice_answer_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_slice_answer_reading_id FOREIGN KEY(reading_id) REFERENCES reading (id),
    CONSTRAINT fk_slice_answer_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_slice_answer_presentation_id FOREIGN KEY(presentation_id) REFERENCES presentation (id)
)
--
CREATE INDEX ix_slice_answer_reader_id_slice_id ON slice_answer (reader_id, slice_id)
--
CREATE TABLE case_answer (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    reading_id VARCHAR(36) NOT NULL,
    question INTEGER DEFAULT '1' NOT NULL,
    round INTEGER DEFAULT '1' NOT NULL,
    attempt INTEGER DEFAULT '1' NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER DEFAULT '1' NOT NULL,
    state TEXT NOT NULL,
    reopen_reason TEXT DEFAULT '' NOT NULL,
    rationale TEXT DEFAULT '' NOT NULL,
    presentation_id VARCHAR(36),
    position INTEGER,
    unit TEXT DEFAULT '' NOT NULL,
    stage INTEGER NOT NULL,
    visible TEXT NOT NULL,
    siblings_seen TEXT DEFAULT '[]' NOT NULL,
    imported BOOLEAN NOT NULL,
    started_utc TEXT,
    saved_utc TEXT,
    closed_utc TEXT,
    submitted_utc TEXT,
    withdrawn_utc TEXT,
    active_seconds DOUBLE,
    first_mark_seconds DOUBLE,
    sitting_minutes DOUBLE,
    CONSTRAINT pk_case_answer PRIMARY KEY (id),
    CONSTRAINT ck_case_answer_version CHECK (version >= 1),
    CONSTRAINT ck_case_answer_state CHECK (state IN ('draft', 'deferred', 'locked', 'submitted', 'reopened', 'withdrawn')),
    CONSTRAINT uq_case_answer_reading_id_question_round_attempt_version UNIQUE (reading_id, question, round, attempt, version),
    CONSTRAINT fk_case_answer_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_case_answer_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_case_answer_reading_id FOREIGN KEY(reading_id) REFERENCES reading (id),
    CONSTRAINT fk_case_answer_presentation_id FOREIGN KEY(presentation_id) REFERENCES presentation (id)
)
--
CREATE TABLE presentation_slice (
    presentation_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    CONSTRAINT pk_presentation_slice PRIMARY KEY (presentation_id, ordinal),
    CONSTRAINT uq_presentation_slice_presentation_id_slice_id UNIQUE (presentation_id, slice_id),
    CONSTRAINT fk_presentation_slice_presentation_id FOREIGN KEY(presentation_id) REFERENCES presentation (id),
    CONSTRAINT fk_presentation_slice_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_presentation_slice_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id),
    CONSTRAINT fk_presentation_slice_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE TABLE prediction (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    prediction_set_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    answered BOOLEAN NOT NULL,
    caption TEXT,
    has_boxes BOOLEAN NOT NULL,
    has_diagnoses BOOLEAN NOT NULL,
    raw TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_prediction PRIMARY KEY (id),
    CONSTRAINT uq_prediction_prediction_set_id_slice_id UNIQUE (prediction_set_id, slice_id),
    CONSTRAINT fk_prediction_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_prediction_prediction_set_id FOREIGN KEY(prediction_set_id) REFERENCES prediction_set (id),
    CONSTRAINT fk_prediction_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_prediction_slice_id ON prediction (slice_id)
--
CREATE TABLE case_prediction_diagnosis (
    case_prediction_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    rank INTEGER NOT NULL,
    name TEXT NOT NULL,
    confidence DOUBLE,
    CONSTRAINT pk_case_prediction_diagnosis PRIMARY KEY (case_prediction_id, rank),
    CONSTRAINT fk_case_prediction_diagnosis_case_prediction_id FOREIGN KEY(case_prediction_id) REFERENCES case_prediction (id),
    CONSTRAINT fk_case_prediction_diagnosis_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE failure_note (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    prediction_set_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    rank INTEGER,
    tag TEXT NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    made_by TEXT NOT NULL,
    made_utc TEXT NOT NULL,
    CONSTRAINT pk_failure_note PRIMARY KEY (id),
    CONSTRAINT fk_failure_note_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_failure_note_prediction_set_id FOREIGN KEY(prediction_set_id) REFERENCES prediction_set (id),
    CONSTRAINT fk_failure_note_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_failure_note_prediction_set_id_slice_id ON failure_note (prediction_set_id, slice_id)
--
CREATE TABLE slice_file (
    slice_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    data_set_id VARCHAR(36) NOT NULL,
    file_name TEXT NOT NULL,
    scan_id TEXT NOT NULL,
    image_path TEXT,
    sha256 TEXT,
    CONSTRAINT pk_slice_file PRIMARY KEY (slice_id),
    CONSTRAINT uq_slice_file_data_set_id_file_name UNIQUE (data_set_id, file_name),
    CONSTRAINT fk_slice_file_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_slice_file_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_slice_file_data_set_id FOREIGN KEY(data_set_id) REFERENCES data_set (id)
)
--
CREATE TABLE slice_secret (
    slice_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    caption TEXT,
    CONSTRAINT pk_slice_secret PRIMARY KEY (slice_id),
    CONSTRAINT fk_slice_secret_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_slice_secret_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE image (
    slice_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    bytes BLOB NOT NULL,
    CONSTRAINT pk_image PRIMARY KEY (slice_id),
    CONSTRAINT fk_image_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_image_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE screening (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36),
    case_id VARCHAR(36),
    call TEXT NOT NULL,
    treatment TEXT NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    screened_by TEXT NOT NULL,
    screened_utc TEXT NOT NULL,
    CONSTRAINT pk_screening PRIMARY KEY (id),
    CONSTRAINT ck_screening_call CHECK (call IN ('clean', 'marker', 'text', 'montage', 'history-word')),
    CONSTRAINT ck_screening_treatment CHECK (treatment IN ('keep', 'exclude', 'mask', 'stratum')),
    CONSTRAINT ck_screening_subject CHECK (slice_id IS NOT NULL OR case_id IS NOT NULL),
    CONSTRAINT fk_screening_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_screening_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_screening_case_id FOREIGN KEY(case_id) REFERENCES study_case (id)
)
--
CREATE INDEX ix_screening_slice_id ON screening (slice_id)
--
CREATE INDEX ix_screening_case_id ON screening (case_id)
--
CREATE TABLE mask (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL,
    width DOUBLE NOT NULL,
    height DOUBLE NOT NULL,
    reason TEXT NOT NULL,
    CONSTRAINT pk_mask PRIMARY KEY (id),
    CONSTRAINT fk_mask_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_mask_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id)
)
--
CREATE INDEX ix_mask_slice_id ON mask (slice_id)
--
CREATE TABLE decision (
    id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    slice_id VARCHAR(36) NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER DEFAULT '1' NOT NULL,
    state TEXT NOT NULL,
    mode TEXT NOT NULL,
    outcome TEXT NOT NULL,
    provenance TEXT NOT NULL,
    adjudicator_id VARCHAR(36),
    independent_answer_id VARCHAR(36),
    rule TEXT DEFAULT '' NOT NULL,
    drawn_for_check BOOLEAN NOT NULL,
    visible TEXT NOT NULL,
    layer_order TEXT DEFAULT '[]' NOT NULL,
    reason_code TEXT DEFAULT '' NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    flagged BOOLEAN NOT NULL,
    flag_reason TEXT DEFAULT '' NOT NULL,
    reopen_reason TEXT DEFAULT '' NOT NULL,
    started_utc TEXT,
    decided_utc TEXT,
    CONSTRAINT pk_decision PRIMARY KEY (id),
    CONSTRAINT ck_decision_version CHECK (version >= 1),
    CONSTRAINT ck_decision_state CHECK (state IN ('draft', 'deferred', 'closed', 'reopened', 'withdrawn')),
    CONSTRAINT ck_decision_mode CHECK (mode IN ('independent first', 'layers at once', 'rule')),
    CONSTRAINT ck_decision_outcome CHECK (outcome IN ('findings', 'no-finding', 'cannot-be-read', 'unresolved')),
    CONSTRAINT ck_decision_provenance CHECK (provenance IN ('unanimous', 'rule', 'adjudicated', 'single reader', 'unresolved')),
    CONSTRAINT uq_decision_slice_id_version UNIQUE (slice_id, version),
    CONSTRAINT fk_decision_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_decision_slice_id FOREIGN KEY(slice_id) REFERENCES slice (id),
    CONSTRAINT fk_decision_adjudicator_id FOREIGN KEY(adjudicator_id) REFERENCES reader (id),
    CONSTRAINT fk_decision_independent_answer_id FOREIGN KEY(independent_answer_id) REFERENCES slice_answer (id)
)
--
CREATE TABLE finding (
    slice_answer_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    ordinal INTEGER NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    finding_id VARCHAR(36) NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL,
    width DOUBLE NOT NULL,
    height DOUBLE NOT NULL,
    label TEXT DEFAULT '' NOT NULL,
    place TEXT DEFAULT '' NOT NULL,
    side TEXT,
    confidence DOUBLE,
    copied_from TEXT,
    CONSTRAINT pk_finding PRIMARY KEY (slice_answer_id, ordinal),
    CONSTRAINT ck_finding_side CHECK (side IN ('image-left', 'image-right', 'midline', 'bilateral', 'not-applicable', 'cannot-tell')),
    CONSTRAINT ck_finding_confidence CHECK (confidence BETWEEN 0 AND 1),
    CONSTRAINT uq_finding_slice_answer_id_finding_id UNIQUE (slice_answer_id, finding_id),
    CONSTRAINT fk_finding_slice_answer_id FOREIGN KEY(slice_answer_id) REFERENCES slice_answer (id),
    CONSTRAINT fk_finding_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_finding_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id)
)
--
CREATE TABLE diagnosis (
    case_answer_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    rank INTEGER NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    name TEXT NOT NULL,
    confidence DOUBLE,
    CONSTRAINT pk_diagnosis PRIMARY KEY (case_answer_id, rank),
    CONSTRAINT ck_diagnosis_rank CHECK (rank >= 1),
    CONSTRAINT ck_diagnosis_confidence CHECK (confidence BETWEEN 0 AND 1),
    CONSTRAINT fk_diagnosis_case_answer_id FOREIGN KEY(case_answer_id) REFERENCES case_answer (id),
    CONSTRAINT fk_diagnosis_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_diagnosis_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id)
)
--
CREATE TABLE prediction_box (
    prediction_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    rank INTEGER NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL,
    width DOUBLE NOT NULL,
    height DOUBLE NOT NULL,
    score DOUBLE,
    label TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_prediction_box PRIMARY KEY (prediction_id, rank),
    CONSTRAINT ck_prediction_box_rank CHECK (rank >= 1),
    CONSTRAINT fk_prediction_box_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id),
    CONSTRAINT fk_prediction_box_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE prediction_diagnosis (
    prediction_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    rank INTEGER NOT NULL,
    name TEXT NOT NULL,
    confidence DOUBLE,
    CONSTRAINT pk_prediction_diagnosis PRIMARY KEY (prediction_id, rank),
    CONSTRAINT ck_prediction_diagnosis_rank CHECK (rank >= 1),
    CONSTRAINT fk_prediction_diagnosis_prediction_id FOREIGN KEY(prediction_id) REFERENCES prediction (id),
    CONSTRAINT fk_prediction_diagnosis_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE decision_box (
    decision_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    x DOUBLE NOT NULL,
    y DOUBLE NOT NULL,
    width DOUBLE NOT NULL,
    height DOUBLE NOT NULL,
    label TEXT DEFAULT '' NOT NULL,
    place TEXT DEFAULT '' NOT NULL,
    side TEXT,
    confidence DOUBLE,
    state TEXT NOT NULL,
    made_by TEXT NOT NULL,
    provenance TEXT NOT NULL,
    reason_code TEXT DEFAULT '' NOT NULL,
    note TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_decision_box PRIMARY KEY (decision_id, number),
    CONSTRAINT ck_decision_box_side CHECK (side IN ('image-left', 'image-right', 'midline', 'bilateral', 'not-applicable', 'cannot-tell')),
    CONSTRAINT ck_decision_box_state CHECK (state IN ('accepted', 'rejected')),
    CONSTRAINT ck_decision_box_provenance CHECK (provenance IN ('unanimous', 'rule', 'adjudicated', 'single reader', 'unresolved')),
    CONSTRAINT ck_decision_box_confidence CHECK (confidence BETWEEN 0 AND 1),
    CONSTRAINT fk_decision_box_decision_id FOREIGN KEY(decision_id) REFERENCES decision (id),
    CONSTRAINT fk_decision_box_study_id FOREIGN KEY(study_id) REFERENCES study (id)
)
--
CREATE TABLE decision_source (
    decision_id VARCHAR(36) NOT NULL,
    study_id VARCHAR(36) NOT NULL,
    number INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    slice_answer_id VARCHAR(36) NOT NULL,
    finding_id VARCHAR(36) NOT NULL,
    reader_id VARCHAR(36) NOT NULL,
    weight DOUBLE,
    CONSTRAINT pk_decision_source PRIMARY KEY (decision_id, number, ordinal),
    CONSTRAINT fk_decision_source_decision_id FOREIGN KEY(decision_id) REFERENCES decision (id),
    CONSTRAINT fk_decision_source_study_id FOREIGN KEY(study_id) REFERENCES study (id),
    CONSTRAINT fk_decision_source_slice_answer_id FOREIGN KEY(slice_answer_id) REFERENCES slice_answer (id),
    CONSTRAINT fk_decision_source_reader_id FOREIGN KEY(reader_id) REFERENCES reader (id)
)
--
CREATE INDEX ix_decision_source_slice_answer_id ON decision_source (slice_answer_id)
--
CREATE TRIGGER slice_answer_closed_insert BEFORE INSERT ON "slice_answer" WHEN EXISTS (SELECT 1 FROM "slice_answer" o WHERE o.state IN ('locked', 'submitted', 'withdrawn') AND ((o."id" = NEW."id") OR (o."reading_id" = NEW."reading_id" AND o."slice_id" = NEW."slice_id" AND o."version" = NEW."version"))) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER slice_answer_closed_update BEFORE UPDATE ON "slice_answer" WHEN OLD.state IN ('locked', 'submitted', 'withdrawn') AND NOT (((OLD.state = 'locked' AND NEW.state IN ('submitted', 'withdrawn')) OR (OLD.state = 'submitted' AND NEW.state IN ('withdrawn'))) AND NEW."id" IS OLD."id" AND NEW."study_id" IS OLD."study_id" AND NEW."reader_id" IS OLD."reader_id" AND NEW."reading_id" IS OLD."reading_id" AND NEW."slice_id" IS OLD."slice_id" AND NEW."version" IS OLD."version" AND NEW."reopen_reason" IS OLD."reopen_reason" AND NEW."outcome" IS OLD."outcome" AND NEW."cannot_read_reason" IS OLD."cannot_read_reason" AND NEW."sequences" IS OLD."sequences" AND NEW."plane" IS OLD."plane" AND NEW."normality" IS OLD."normality" AND NEW."caption_text" IS OLD."caption_text" AND NEW."caption_copied_from" IS OLD."caption_copied_from" AND NEW."presentation_id" IS OLD."presentation_id" AND NEW."position" IS OLD."position" AND NEW."unit" IS OLD."unit" AND NEW."stage" IS OLD."stage" AND NEW."visible" IS OLD."visible" AND NEW."siblings_seen" IS OLD."siblings_seen" AND NEW."imported" IS OLD."imported" AND NEW."started_utc" IS OLD."started_utc" AND NEW."saved_utc" IS OLD."saved_utc" AND NEW."closed_utc" IS OLD."closed_utc" AND NEW."active_seconds" IS OLD."active_seconds" AND NEW."first_mark_seconds" IS OLD."first_mark_seconds" AND NEW."sitting_minutes" IS OLD."sitting_minutes") BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER slice_answer_closed_delete BEFORE DELETE ON "slice_answer" WHEN OLD.state IN ('locked', 'submitted', 'withdrawn') BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_answer_closed_insert BEFORE INSERT ON "case_answer" WHEN EXISTS (SELECT 1 FROM "case_answer" o WHERE o.state IN ('locked', 'submitted', 'withdrawn') AND ((o."id" = NEW."id") OR (o."reading_id" = NEW."reading_id" AND o."question" = NEW."question" AND o."round" = NEW."round" AND o."attempt" = NEW."attempt" AND o."version" = NEW."version"))) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_answer_closed_update BEFORE UPDATE ON "case_answer" WHEN OLD.state IN ('locked', 'submitted', 'withdrawn') AND NOT (((OLD.state = 'locked' AND NEW.state IN ('submitted', 'withdrawn')) OR (OLD.state = 'submitted' AND NEW.state IN ('withdrawn'))) AND NEW."id" IS OLD."id" AND NEW."study_id" IS OLD."study_id" AND NEW."reader_id" IS OLD."reader_id" AND NEW."reading_id" IS OLD."reading_id" AND NEW."question" IS OLD."question" AND NEW."round" IS OLD."round" AND NEW."attempt" IS OLD."attempt" AND NEW."version" IS OLD."version" AND NEW."reopen_reason" IS OLD."reopen_reason" AND NEW."rationale" IS OLD."rationale" AND NEW."presentation_id" IS OLD."presentation_id" AND NEW."position" IS OLD."position" AND NEW."unit" IS OLD."unit" AND NEW."stage" IS OLD."stage" AND NEW."visible" IS OLD."visible" AND NEW."siblings_seen" IS OLD."siblings_seen" AND NEW."imported" IS OLD."imported" AND NEW."started_utc" IS OLD."started_utc" AND NEW."saved_utc" IS OLD."saved_utc" AND NEW."closed_utc" IS OLD."closed_utc" AND NEW."active_seconds" IS OLD."active_seconds" AND NEW."first_mark_seconds" IS OLD."first_mark_seconds" AND NEW."sitting_minutes" IS OLD."sitting_minutes") BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_answer_closed_delete BEFORE DELETE ON "case_answer" WHEN OLD.state IN ('locked', 'submitted', 'withdrawn') BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_closed_insert BEFORE INSERT ON "decision" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.state IN ('closed', 'withdrawn') AND ((o."id" = NEW."id") OR (o."slice_id" = NEW."slice_id" AND o."version" = NEW."version"))) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_closed_update BEFORE UPDATE ON "decision" WHEN OLD.state IN ('closed', 'withdrawn') AND NOT (((OLD.state = 'closed' AND NEW.state IN ('closed', 'withdrawn'))) AND NEW."id" IS OLD."id" AND NEW."study_id" IS OLD."study_id" AND NEW."slice_id" IS OLD."slice_id" AND NEW."version" IS OLD."version" AND NEW."mode" IS OLD."mode" AND NEW."outcome" IS OLD."outcome" AND NEW."provenance" IS OLD."provenance" AND NEW."adjudicator_id" IS OLD."adjudicator_id" AND NEW."independent_answer_id" IS OLD."independent_answer_id" AND NEW."rule" IS OLD."rule" AND NEW."drawn_for_check" IS OLD."drawn_for_check" AND NEW."visible" IS OLD."visible" AND NEW."layer_order" IS OLD."layer_order" AND NEW."reason_code" IS OLD."reason_code" AND NEW."note" IS OLD."note" AND NEW."reopen_reason" IS OLD."reopen_reason" AND NEW."started_utc" IS OLD."started_utc" AND NEW."decided_utc" IS OLD."decided_utc") BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_closed_delete BEFORE DELETE ON "decision" WHEN OLD.state IN ('closed', 'withdrawn') BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_decision_closed_insert BEFORE INSERT ON "case_decision" WHEN EXISTS (SELECT 1 FROM "case_decision" o WHERE o.state IN ('closed', 'withdrawn') AND ((o."id" = NEW."id") OR (o."case_id" = NEW."case_id" AND o."version" = NEW."version"))) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_decision_closed_update BEFORE UPDATE ON "case_decision" WHEN OLD.state IN ('closed', 'withdrawn') AND NOT (((OLD.state = 'closed' AND NEW.state IN ('closed', 'withdrawn'))) AND NEW."id" IS OLD."id" AND NEW."study_id" IS OLD."study_id" AND NEW."case_id" IS OLD."case_id" AND NEW."version" IS OLD."version" AND NEW."diagnosis" IS OLD."diagnosis" AND NEW."provenance" IS OLD."provenance" AND NEW."adjudicator_id" IS OLD."adjudicator_id" AND NEW."visible" IS OLD."visible" AND NEW."reason_code" IS OLD."reason_code" AND NEW."note" IS OLD."note" AND NEW."decided_utc" IS OLD."decided_utc") BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER case_decision_closed_delete BEFORE DELETE ON "case_decision" WHEN OLD.state IN ('closed', 'withdrawn') BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER finding_closed_insert BEFORE INSERT ON "finding" WHEN EXISTS (SELECT 1 FROM "slice_answer" o WHERE o.id = NEW.slice_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER finding_closed_update BEFORE UPDATE ON "finding" WHEN EXISTS (SELECT 1 FROM "slice_answer" o WHERE o.id = OLD.slice_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) OR EXISTS (SELECT 1 FROM "slice_answer" o WHERE o.id = NEW.slice_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER finding_closed_delete BEFORE DELETE ON "finding" WHEN EXISTS (SELECT 1 FROM "slice_answer" o WHERE o.id = OLD.slice_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER diagnosis_closed_insert BEFORE INSERT ON "diagnosis" WHEN EXISTS (SELECT 1 FROM "case_answer" o WHERE o.id = NEW.case_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER diagnosis_closed_update BEFORE UPDATE ON "diagnosis" WHEN EXISTS (SELECT 1 FROM "case_answer" o WHERE o.id = OLD.case_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) OR EXISTS (SELECT 1 FROM "case_answer" o WHERE o.id = NEW.case_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER diagnosis_closed_delete BEFORE DELETE ON "diagnosis" WHEN EXISTS (SELECT 1 FROM "case_answer" o WHERE o.id = OLD.case_answer_id AND o.state IN ('locked', 'submitted', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_box_closed_insert BEFORE INSERT ON "decision_box" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_box_closed_update BEFORE UPDATE ON "decision_box" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) OR EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_box_closed_delete BEFORE DELETE ON "decision_box" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_source_closed_insert BEFORE INSERT ON "decision_source" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_source_closed_update BEFORE UPDATE ON "decision_source" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) OR EXISTS (SELECT 1 FROM "decision" o WHERE o.id = NEW.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER decision_source_closed_delete BEFORE DELETE ON "decision_source" WHEN EXISTS (SELECT 1 FROM "decision" o WHERE o.id = OLD.decision_id AND o.state IN ('closed', 'withdrawn')) BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER view_log_grows_update BEFORE UPDATE ON "view_log" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER view_log_grows_delete BEFORE DELETE ON "view_log" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER audit_log_grows_update BEFORE UPDATE ON "audit_log" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER audit_log_grows_delete BEFORE DELETE ON "audit_log" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER deviation_grows_update BEFORE UPDATE ON "deviation" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER deviation_grows_delete BEFORE DELETE ON "deviation" BEGIN SELECT RAISE(ABORT, 'a log only grows'); END
--
CREATE TRIGGER protocol_locked_update BEFORE UPDATE ON "protocol" WHEN OLD.locked_utc IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
--
CREATE TRIGGER protocol_locked_delete BEFORE DELETE ON "protocol" WHEN OLD.locked_utc IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a closed version never changes'); END
