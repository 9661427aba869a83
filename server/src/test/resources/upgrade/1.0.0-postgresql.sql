CREATE TABLE public.passkey_challenge (
    user_id text NOT NULL,
    challenge text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.passkey_credential (
    credential_id text NOT NULL,
    user_id text NOT NULL,
    public_key text NOT NULL,
    sign_count bigint DEFAULT 0 NOT NULL,
    origin text NOT NULL,
    user_handle text,
    transports text,
    backup_eligible integer,
    backed_up integer,
    user_verified integer,
    verification_required integer,
    discoverable integer,
    aaguid text,
    attestation_format text,
    attestation_trust text,
    name text,
    created_at bigint,
    last_used_at bigint
);
CREATE TABLE public.passkey_decoy (
    name text NOT NULL,
    shapes text NOT NULL
);
CREATE TABLE public.passkey_schema (
    part text NOT NULL,
    version integer NOT NULL,
    oldest integer NOT NULL
);
CREATE TABLE public.passkey_seal (
    credential_id text NOT NULL,
    seal text NOT NULL
);
CREATE TABLE public.passkey_secret (
    name text NOT NULL,
    secret text NOT NULL
);
CREATE TABLE public.passkey_used_challenge (
    expires_at bigint NOT NULL,
    challenge_id text NOT NULL
)
PARTITION BY RANGE (expires_at);
CREATE TABLE public.passkey_used_challenge_default (
    expires_at bigint NOT NULL,
    challenge_id text NOT NULL
);
CREATE TABLE public.passkey_used_challenge_first (
    expires_at bigint NOT NULL,
    challenge_id text NOT NULL
);
CREATE TABLE public.passkey_user (
    user_id text NOT NULL,
    user_handle text,
    name text,
    display_name text
);
CREATE TABLE public.porchlight_api_token (
    name text NOT NULL,
    role text NOT NULL,
    token_hash text NOT NULL,
    created_at bigint NOT NULL,
    created_by text NOT NULL,
    expires_at bigint,
    last_used_at bigint
);
CREATE TABLE public.porchlight_audit (
    chain text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    outcome text NOT NULL,
    reason text NOT NULL,
    operator text DEFAULT ''::text NOT NULL,
    client_id text DEFAULT ''::text NOT NULL,
    group_name text DEFAULT ''::text NOT NULL,
    changed text DEFAULT ''::text NOT NULL,
    further bigint DEFAULT 0 NOT NULL,
    correlation_id text NOT NULL,
    follows text DEFAULT ''::text NOT NULL,
    hash text NOT NULL
)
PARTITION BY RANGE (at);
CREATE TABLE public.porchlight_audit_anchor (
    name text NOT NULL,
    anchor text NOT NULL
);
CREATE TABLE public.porchlight_audit_checkpoint (
    chain text NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    hash text NOT NULL,
    seal text NOT NULL
);
CREATE TABLE public.porchlight_audit_default (
    chain text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    outcome text NOT NULL,
    reason text NOT NULL,
    operator text DEFAULT ''::text NOT NULL,
    client_id text DEFAULT ''::text NOT NULL,
    group_name text DEFAULT ''::text NOT NULL,
    changed text DEFAULT ''::text NOT NULL,
    further bigint DEFAULT 0 NOT NULL,
    correlation_id text NOT NULL,
    follows text DEFAULT ''::text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.porchlight_audit_first (
    chain text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    outcome text NOT NULL,
    reason text NOT NULL,
    operator text DEFAULT ''::text NOT NULL,
    client_id text DEFAULT ''::text NOT NULL,
    group_name text DEFAULT ''::text NOT NULL,
    changed text DEFAULT ''::text NOT NULL,
    further bigint DEFAULT 0 NOT NULL,
    correlation_id text NOT NULL,
    follows text DEFAULT ''::text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.porchlight_audit_head (
    chain text NOT NULL,
    seq bigint NOT NULL,
    hash text NOT NULL,
    seal text NOT NULL
);
CREATE TABLE public.porchlight_audit_subject (
    subject text NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.porchlight_challenge_epoch (
    epoch bigint NOT NULL
);
CREATE TABLE public.porchlight_client (
    client_id text NOT NULL,
    name text NOT NULL,
    secret_hash text,
    settings text NOT NULL,
    generation bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.porchlight_erased_spelling (
    id_hash text NOT NULL,
    erased_at bigint NOT NULL,
    locked_at bigint,
    generation bigint NOT NULL
);
CREATE TABLE public.porchlight_erased_user (
    name_hash text NOT NULL,
    erased_at bigint NOT NULL,
    locked_at bigint,
    generation bigint NOT NULL
);
CREATE TABLE public.porchlight_event_cursor (
    webhook_id text NOT NULL,
    chain text NOT NULL,
    seq bigint NOT NULL
);
CREATE TABLE public.porchlight_failed_ceremony (
    ceremony_id text NOT NULL,
    kind text NOT NULL,
    trace_hash text NOT NULL,
    code_hash text NOT NULL,
    correlation_hash text NOT NULL,
    client_hash text NOT NULL,
    owner text NOT NULL,
    address text NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.porchlight_group (
    group_name text NOT NULL,
    claims text
);
CREATE TABLE public.porchlight_group_member (
    group_name text NOT NULL,
    user_id text NOT NULL
);
CREATE TABLE public.porchlight_lock (
    name text NOT NULL
);
CREATE TABLE public.porchlight_name (
    name text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL
);
CREATE TABLE public.porchlight_openid_authorization (
    authorization_id text NOT NULL,
    client_id text NOT NULL,
    session text NOT NULL,
    owner text NOT NULL,
    sealed text NOT NULL,
    step integer NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.porchlight_openid_consent (
    user_id text NOT NULL,
    client_id text NOT NULL,
    scopes text NOT NULL,
    agreed_at bigint NOT NULL
);
CREATE TABLE public.porchlight_openid_used (
    token_hash text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.porchlight_operator (
    user_id text NOT NULL,
    role text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.porchlight_outbox (
    delivery_id text NOT NULL,
    kind text NOT NULL,
    target text NOT NULL,
    owner text NOT NULL,
    type text NOT NULL,
    sealed text NOT NULL,
    attempts bigint NOT NULL,
    created_at bigint NOT NULL,
    next_attempt_at bigint,
    delivered_at bigint,
    last_error text
);
CREATE TABLE public.porchlight_passkey_source (
    credential_id text NOT NULL,
    user_agent text NOT NULL,
    imported_at bigint
);
CREATE TABLE public.porchlight_probe (
    probe_id integer NOT NULL,
    writes bigint NOT NULL
);
CREATE TABLE public.porchlight_profile (
    user_id text NOT NULL,
    name text,
    given_name text,
    family_name text,
    email text,
    email_verified integer NOT NULL,
    locale text,
    picture text,
    claims text,
    updated_at bigint NOT NULL,
    name_key text COLLATE pg_catalog."C",
    family_key text COLLATE pg_catalog."C",
    email_key text COLLATE pg_catalog."C"
);
CREATE TABLE public.porchlight_recovery_code (
    code_hash text NOT NULL,
    user_id text NOT NULL,
    created_at bigint NOT NULL,
    started_at bigint,
    used_at bigint
);
CREATE TABLE public.porchlight_removed_passkey (
    credential_hash text NOT NULL,
    removed_at bigint NOT NULL
);
CREATE TABLE public.porchlight_reported_event (
    event_hash text NOT NULL,
    reported_at bigint NOT NULL,
    events bigint NOT NULL
);
CREATE TABLE public.porchlight_sealed_entry (
    kind text NOT NULL,
    entry_key text NOT NULL,
    owner text NOT NULL,
    sealed text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.porchlight_signing_key (
    kid text NOT NULL,
    created_at bigint NOT NULL,
    sealed text NOT NULL
);
CREATE TABLE public.porchlight_stable_key (
    purpose text NOT NULL,
    sealed text NOT NULL
);
CREATE TABLE public.porchlight_user_access (
    user_id text NOT NULL,
    locked_at bigint,
    generation bigint NOT NULL,
    last_sign_in_at bigint
);
CREATE TABLE public.porchlight_webhook (
    webhook_id text NOT NULL,
    url text NOT NULL,
    events text NOT NULL,
    enabled integer NOT NULL,
    created_at bigint NOT NULL,
    sealed text NOT NULL
);
ALTER TABLE ONLY public.passkey_used_challenge ATTACH PARTITION public.passkey_used_challenge_default DEFAULT;
ALTER TABLE ONLY public.passkey_used_challenge ATTACH PARTITION public.passkey_used_challenge_first FOR VALUES FROM (MINVALUE) TO ('1795067400000');
ALTER TABLE ONLY public.porchlight_audit ATTACH PARTITION public.porchlight_audit_default DEFAULT;
ALTER TABLE ONLY public.porchlight_audit ATTACH PARTITION public.porchlight_audit_first FOR VALUES FROM (MINVALUE) TO ('1801440000000');
ALTER TABLE ONLY public.passkey_challenge
    ADD CONSTRAINT passkey_challenge_pkey PRIMARY KEY (user_id, challenge);
ALTER TABLE ONLY public.passkey_credential
    ADD CONSTRAINT passkey_credential_pkey PRIMARY KEY (credential_id);
ALTER TABLE ONLY public.passkey_decoy
    ADD CONSTRAINT passkey_decoy_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.passkey_schema
    ADD CONSTRAINT passkey_schema_pkey PRIMARY KEY (part);
ALTER TABLE ONLY public.passkey_seal
    ADD CONSTRAINT passkey_seal_pkey PRIMARY KEY (credential_id);
ALTER TABLE ONLY public.passkey_secret
    ADD CONSTRAINT passkey_secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.passkey_used_challenge
    ADD CONSTRAINT passkey_used_challenge_pkey PRIMARY KEY (expires_at, challenge_id);
ALTER TABLE ONLY public.passkey_used_challenge_default
    ADD CONSTRAINT passkey_used_challenge_default_pkey PRIMARY KEY (expires_at, challenge_id);
ALTER TABLE ONLY public.passkey_used_challenge_first
    ADD CONSTRAINT passkey_used_challenge_pkey_first PRIMARY KEY (expires_at, challenge_id);
ALTER TABLE ONLY public.passkey_user
    ADD CONSTRAINT passkey_user_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.passkey_user
    ADD CONSTRAINT passkey_user_user_handle_key UNIQUE (user_handle);
ALTER TABLE ONLY public.porchlight_api_token
    ADD CONSTRAINT porchlight_api_token_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.porchlight_api_token
    ADD CONSTRAINT porchlight_api_token_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.porchlight_audit_anchor
    ADD CONSTRAINT porchlight_audit_anchor_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.porchlight_audit_checkpoint
    ADD CONSTRAINT porchlight_audit_checkpoint_pkey PRIMARY KEY (chain, from_seq);
ALTER TABLE ONLY public.porchlight_audit_default
    ADD CONSTRAINT porchlight_audit_default_pkey PRIMARY KEY (chain, seq);
ALTER TABLE ONLY public.porchlight_audit_head
    ADD CONSTRAINT porchlight_audit_head_pkey PRIMARY KEY (chain);
ALTER TABLE ONLY public.porchlight_audit_first
    ADD CONSTRAINT porchlight_audit_pkey_first PRIMARY KEY (chain, seq);
ALTER TABLE ONLY public.porchlight_audit_subject
    ADD CONSTRAINT porchlight_audit_subject_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.porchlight_challenge_epoch
    ADD CONSTRAINT porchlight_challenge_epoch_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY public.porchlight_client
    ADD CONSTRAINT porchlight_client_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.porchlight_erased_spelling
    ADD CONSTRAINT porchlight_erased_spelling_pkey PRIMARY KEY (id_hash);
ALTER TABLE ONLY public.porchlight_erased_user
    ADD CONSTRAINT porchlight_erased_user_pkey PRIMARY KEY (name_hash);
ALTER TABLE ONLY public.porchlight_event_cursor
    ADD CONSTRAINT porchlight_event_cursor_pkey PRIMARY KEY (webhook_id, chain);
ALTER TABLE ONLY public.porchlight_failed_ceremony
    ADD CONSTRAINT porchlight_failed_ceremony_pkey PRIMARY KEY (ceremony_id);
ALTER TABLE ONLY public.porchlight_group_member
    ADD CONSTRAINT porchlight_group_member_pkey PRIMARY KEY (group_name, user_id);
ALTER TABLE ONLY public.porchlight_group
    ADD CONSTRAINT porchlight_group_pkey PRIMARY KEY (group_name);
ALTER TABLE ONLY public.porchlight_lock
    ADD CONSTRAINT porchlight_lock_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.porchlight_name
    ADD CONSTRAINT porchlight_name_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.porchlight_openid_authorization
    ADD CONSTRAINT porchlight_openid_authorization_pkey PRIMARY KEY (authorization_id);
ALTER TABLE ONLY public.porchlight_openid_consent
    ADD CONSTRAINT porchlight_openid_consent_pkey PRIMARY KEY (user_id, client_id);
ALTER TABLE ONLY public.porchlight_openid_used
    ADD CONSTRAINT porchlight_openid_used_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.porchlight_operator
    ADD CONSTRAINT porchlight_operator_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.porchlight_outbox
    ADD CONSTRAINT porchlight_outbox_pkey PRIMARY KEY (delivery_id);
ALTER TABLE ONLY public.porchlight_passkey_source
    ADD CONSTRAINT porchlight_passkey_source_pkey PRIMARY KEY (credential_id);
ALTER TABLE ONLY public.porchlight_probe
    ADD CONSTRAINT porchlight_probe_pkey PRIMARY KEY (probe_id);
ALTER TABLE ONLY public.porchlight_profile
    ADD CONSTRAINT porchlight_profile_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.porchlight_recovery_code
    ADD CONSTRAINT porchlight_recovery_code_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.porchlight_removed_passkey
    ADD CONSTRAINT porchlight_removed_passkey_pkey PRIMARY KEY (credential_hash);
ALTER TABLE ONLY public.porchlight_reported_event
    ADD CONSTRAINT porchlight_reported_event_pkey PRIMARY KEY (event_hash);
ALTER TABLE ONLY public.porchlight_sealed_entry
    ADD CONSTRAINT porchlight_sealed_entry_pkey PRIMARY KEY (kind, entry_key);
ALTER TABLE ONLY public.porchlight_signing_key
    ADD CONSTRAINT porchlight_signing_key_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.porchlight_stable_key
    ADD CONSTRAINT porchlight_stable_key_pkey PRIMARY KEY (purpose);
ALTER TABLE ONLY public.porchlight_user_access
    ADD CONSTRAINT porchlight_user_access_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.porchlight_webhook
    ADD CONSTRAINT porchlight_webhook_pkey PRIMARY KEY (webhook_id);
CREATE INDEX passkey_challenge_by_expiry ON public.passkey_challenge USING btree (expires_at);
CREATE INDEX passkey_credential_by_user ON public.passkey_credential USING btree (user_id);
CREATE INDEX porchlight_audit_by_client ON ONLY public.porchlight_audit USING btree (client_id, at) WHERE ((action = 'client_authorize'::text) AND (outcome = 'ok'::text));
CREATE INDEX porchlight_audit_by_client_first ON public.porchlight_audit_first USING btree (client_id, at) WHERE ((action = 'client_authorize'::text) AND (outcome = 'ok'::text));
CREATE INDEX porchlight_audit_by_correlation ON ONLY public.porchlight_audit USING btree (correlation_id);
CREATE INDEX porchlight_audit_by_correlation_first ON public.porchlight_audit_first USING btree (correlation_id);
CREATE INDEX porchlight_audit_by_operator ON ONLY public.porchlight_audit USING btree (operator, at) WHERE (operator <> ''::text);
CREATE INDEX porchlight_audit_by_operator_first ON public.porchlight_audit_first USING btree (operator, at) WHERE (operator <> ''::text);
CREATE INDEX porchlight_audit_by_subject ON ONLY public.porchlight_audit USING btree (subject, at);
CREATE INDEX porchlight_audit_by_subject_first ON public.porchlight_audit_first USING btree (subject, at);
CREATE INDEX porchlight_audit_by_time ON ONLY public.porchlight_audit USING btree (at);
CREATE INDEX porchlight_audit_by_time_first ON public.porchlight_audit_first USING btree (at);
CREATE INDEX porchlight_audit_default_at_idx ON public.porchlight_audit_default USING btree (at);
CREATE INDEX porchlight_audit_default_client_id_at_idx ON public.porchlight_audit_default USING btree (client_id, at) WHERE ((action = 'client_authorize'::text) AND (outcome = 'ok'::text));
CREATE INDEX porchlight_audit_default_correlation_id_idx ON public.porchlight_audit_default USING btree (correlation_id);
CREATE INDEX porchlight_audit_default_operator_at_idx ON public.porchlight_audit_default USING btree (operator, at) WHERE (operator <> ''::text);
CREATE INDEX porchlight_audit_default_subject_at_idx ON public.porchlight_audit_default USING btree (subject, at);
CREATE INDEX porchlight_audit_subject_by_user ON public.porchlight_audit_subject USING btree (user_id);
CREATE INDEX porchlight_group_member_by_user ON public.porchlight_group_member USING btree (user_id);
CREATE INDEX porchlight_openid_authorization_by_client ON public.porchlight_openid_authorization USING btree (client_id);
CREATE INDEX porchlight_openid_authorization_by_expiry ON public.porchlight_openid_authorization USING btree (expires_at);
CREATE INDEX porchlight_openid_authorization_by_owner ON public.porchlight_openid_authorization USING btree (owner);
CREATE INDEX porchlight_openid_authorization_by_session ON public.porchlight_openid_authorization USING btree (session);
CREATE INDEX porchlight_openid_used_by_expiry ON public.porchlight_openid_used USING btree (expires_at);
CREATE INDEX porchlight_outbox_by_next_attempt ON public.porchlight_outbox USING btree (kind, target, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX porchlight_outbox_by_owner ON public.porchlight_outbox USING btree (owner) WHERE (owner <> ''::text);
CREATE INDEX porchlight_outbox_by_target ON public.porchlight_outbox USING btree (kind, target, created_at);
CREATE INDEX porchlight_profile_by_email ON public.porchlight_profile USING btree (email_key, user_id);
CREATE INDEX porchlight_profile_by_family ON public.porchlight_profile USING btree (family_key, user_id);
CREATE INDEX porchlight_profile_by_name ON public.porchlight_profile USING btree (name_key, user_id);
CREATE INDEX porchlight_recovery_code_by_user ON public.porchlight_recovery_code USING btree (user_id);
CREATE INDEX porchlight_reported_event_by_time ON public.porchlight_reported_event USING btree (reported_at);
CREATE INDEX porchlight_sealed_entry_by_expiry ON public.porchlight_sealed_entry USING btree (expires_at);
CREATE INDEX porchlight_sealed_entry_by_owner ON public.porchlight_sealed_entry USING btree (kind, owner, created_at);
ALTER INDEX public.passkey_used_challenge_pkey ATTACH PARTITION public.passkey_used_challenge_default_pkey;
ALTER INDEX public.passkey_used_challenge_pkey ATTACH PARTITION public.passkey_used_challenge_pkey_first;
ALTER INDEX public.porchlight_audit_by_client ATTACH PARTITION public.porchlight_audit_by_client_first;
ALTER INDEX public.porchlight_audit_by_correlation ATTACH PARTITION public.porchlight_audit_by_correlation_first;
ALTER INDEX public.porchlight_audit_by_operator ATTACH PARTITION public.porchlight_audit_by_operator_first;
ALTER INDEX public.porchlight_audit_by_subject ATTACH PARTITION public.porchlight_audit_by_subject_first;
ALTER INDEX public.porchlight_audit_by_time ATTACH PARTITION public.porchlight_audit_by_time_first;
ALTER INDEX public.porchlight_audit_by_time ATTACH PARTITION public.porchlight_audit_default_at_idx;
ALTER INDEX public.porchlight_audit_by_client ATTACH PARTITION public.porchlight_audit_default_client_id_at_idx;
ALTER INDEX public.porchlight_audit_by_correlation ATTACH PARTITION public.porchlight_audit_default_correlation_id_idx;
ALTER INDEX public.porchlight_audit_by_operator ATTACH PARTITION public.porchlight_audit_default_operator_at_idx;
ALTER INDEX public.porchlight_audit_by_subject ATTACH PARTITION public.porchlight_audit_default_subject_at_idx;
