CREATE TABLE passkey_challenge (
  user_id    TEXT NOT NULL,
  challenge  TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, challenge)
);
CREATE TABLE passkey_credential (
  credential_id         TEXT NOT NULL PRIMARY KEY,
  user_id               TEXT NOT NULL,
  public_key            TEXT NOT NULL,
  sign_count            BIGINT NOT NULL DEFAULT 0,
  origin                TEXT NOT NULL,
  user_handle           TEXT,
  transports            TEXT,
  backup_eligible       INTEGER,
  backed_up             INTEGER,
  user_verified         INTEGER,
  verification_required INTEGER,
  discoverable          INTEGER,
  aaguid                TEXT,
  attestation_format    TEXT,
  attestation_trust     TEXT,
  name                  TEXT,
  created_at            BIGINT,
  last_used_at          BIGINT
);
CREATE TABLE passkey_decoy (
  name   TEXT NOT NULL PRIMARY KEY,
  shapes TEXT NOT NULL
);
CREATE TABLE passkey_schema (
  part    TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  oldest  INTEGER NOT NULL
);
CREATE TABLE passkey_seal (
  credential_id TEXT NOT NULL PRIMARY KEY,
  seal          TEXT NOT NULL
);
CREATE TABLE passkey_secret (
  name   TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);
CREATE TABLE passkey_used_challenge (
  expires_at   BIGINT NOT NULL,
  challenge_id TEXT NOT NULL,
  PRIMARY KEY (expires_at, challenge_id)
);
CREATE TABLE passkey_user (
  user_id      TEXT NOT NULL PRIMARY KEY,
  user_handle  TEXT UNIQUE,
  name         TEXT,
  display_name TEXT
);
CREATE TABLE porchlight_audit (
  chain          TEXT NOT NULL,
  seq            BIGINT NOT NULL,
  at             BIGINT NOT NULL,
  action         TEXT NOT NULL,
  subject        TEXT NOT NULL,
  outcome        TEXT NOT NULL,
  reason         TEXT NOT NULL,
  operator       TEXT NOT NULL DEFAULT '',
  client_id      TEXT NOT NULL DEFAULT '',
  group_name     TEXT NOT NULL DEFAULT '',
  changed        TEXT NOT NULL DEFAULT '',
  further        BIGINT NOT NULL DEFAULT 0,
  correlation_id TEXT NOT NULL,
  follows        TEXT NOT NULL DEFAULT '',
  hash           TEXT NOT NULL,
  PRIMARY KEY (chain, seq)
);
CREATE TABLE porchlight_audit_anchor (
  name   TEXT NOT NULL PRIMARY KEY,
  anchor TEXT NOT NULL
);
CREATE TABLE porchlight_audit_checkpoint (
  chain    TEXT NOT NULL,
  from_seq BIGINT NOT NULL,
  to_seq   BIGINT NOT NULL,
  hash     TEXT NOT NULL,
  seal     TEXT NOT NULL,
  PRIMARY KEY (chain, from_seq)
);
CREATE TABLE porchlight_audit_head (
  chain TEXT NOT NULL PRIMARY KEY,
  seq   BIGINT NOT NULL,
  hash  TEXT NOT NULL,
  seal  TEXT NOT NULL
);
CREATE TABLE porchlight_audit_subject (
  subject TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL
);
CREATE TABLE porchlight_challenge_epoch (
  epoch BIGINT NOT NULL PRIMARY KEY
);
CREATE TABLE porchlight_client (
  client_id   TEXT NOT NULL PRIMARY KEY,
  name        TEXT NOT NULL,
  secret_hash TEXT,
  settings    TEXT NOT NULL,
  created_at  BIGINT NOT NULL
);
CREATE TABLE porchlight_erased_user (
  name_hash TEXT NOT NULL PRIMARY KEY,
  erased_at BIGINT NOT NULL
);
CREATE TABLE porchlight_failed_ceremony (
  ceremony_id      TEXT NOT NULL PRIMARY KEY,
  kind             TEXT NOT NULL,
  trace_hash       TEXT NOT NULL,
  code_hash        TEXT NOT NULL,
  correlation_hash TEXT NOT NULL,
  client_hash      TEXT NOT NULL,
  owner            TEXT NOT NULL,
  address          TEXT NOT NULL,
  sealed           TEXT NOT NULL,
  created_at       BIGINT NOT NULL,
  expires_at       BIGINT NOT NULL
);
CREATE TABLE porchlight_group (
  group_name TEXT NOT NULL PRIMARY KEY
);
CREATE TABLE porchlight_group_member (
  group_name TEXT NOT NULL,
  user_id    TEXT NOT NULL,
  PRIMARY KEY (group_name, user_id)
);
CREATE TABLE porchlight_lock (
  name TEXT NOT NULL PRIMARY KEY
);
CREATE TABLE porchlight_name (
  name    TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL
);
CREATE TABLE porchlight_openid_authorization (
  authorization_id TEXT NOT NULL PRIMARY KEY,
  client_id        TEXT NOT NULL,
  session          TEXT NOT NULL,
  owner            TEXT NOT NULL,
  sealed           TEXT NOT NULL,
  step             INTEGER NOT NULL,
  expires_at       BIGINT NOT NULL
);
CREATE TABLE porchlight_openid_consent (
  user_id   TEXT NOT NULL,
  client_id TEXT NOT NULL,
  scopes    TEXT NOT NULL,
  agreed_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, client_id)
);
CREATE TABLE porchlight_openid_used (
  token_hash TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL,
  uses       BIGINT NOT NULL DEFAULT 1
);
CREATE TABLE porchlight_passkey_source (
  credential_id TEXT NOT NULL PRIMARY KEY,
  user_agent    TEXT NOT NULL,
  imported_at   BIGINT
);
CREATE TABLE porchlight_probe (
  probe_id INTEGER NOT NULL PRIMARY KEY,
  writes   BIGINT NOT NULL
);
CREATE TABLE porchlight_removed_passkey (
  credential_hash TEXT NOT NULL PRIMARY KEY,
  removed_at      BIGINT NOT NULL
);
CREATE TABLE porchlight_sealed_entry (
  kind       TEXT NOT NULL,
  entry_key  TEXT NOT NULL,
  owner      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (kind, entry_key)
);
CREATE TABLE porchlight_signing_key (
  kid        TEXT NOT NULL PRIMARY KEY,
  created_at BIGINT NOT NULL,
  sealed     TEXT NOT NULL
);
CREATE TABLE porchlight_stable_key (
  purpose TEXT NOT NULL PRIMARY KEY,
  sealed  TEXT NOT NULL
);
CREATE TABLE porchlight_user_access (
  user_id    TEXT NOT NULL PRIMARY KEY,
  locked_at  BIGINT,
  generation BIGINT NOT NULL
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
CREATE INDEX passkey_credential_by_user ON passkey_credential (user_id);
CREATE INDEX porchlight_audit_by_client ON porchlight_audit (client_id, at)
  WHERE action = 'client_authorize' AND outcome = 'ok';
CREATE INDEX porchlight_audit_by_correlation ON porchlight_audit (correlation_id);
CREATE INDEX porchlight_audit_by_subject ON porchlight_audit (subject, at);
CREATE INDEX porchlight_audit_by_time ON porchlight_audit (at);
CREATE INDEX porchlight_audit_subject_by_user ON porchlight_audit_subject (user_id);
CREATE INDEX porchlight_group_member_by_user ON porchlight_group_member (user_id);
CREATE INDEX porchlight_openid_authorization_by_client ON porchlight_openid_authorization (client_id);
CREATE INDEX porchlight_openid_authorization_by_expiry ON porchlight_openid_authorization (expires_at);
CREATE INDEX porchlight_openid_authorization_by_owner ON porchlight_openid_authorization (owner);
CREATE INDEX porchlight_openid_authorization_by_session ON porchlight_openid_authorization (session);
CREATE INDEX porchlight_openid_used_by_expiry ON porchlight_openid_used (expires_at);
CREATE INDEX porchlight_sealed_entry_by_expiry ON porchlight_sealed_entry (expires_at);
CREATE INDEX porchlight_sealed_entry_by_owner ON porchlight_sealed_entry (kind, owner, created_at);
INSERT INTO passkey_credential VALUES ('qXWKFusE9F__vadxVS-RW7ld96c1H4Vir-hhg9aizbk', 'ada', '{"kty":"EC","crv":"P-256","x":"z8Y2owzTkvK9RwRG9CHPViZSm4MG5-qtMmg7DBb5IuA","y":"AZKuhAbl6Y-dJEtIh0EVeFFJtZtsRi1RnSGNp4CKkyY"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794991225100, 1794991225359);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794991525015, 'ZnQrZC2rx8Zv_HMeOJ3_Gg');
INSERT INTO passkey_used_challenge VALUES (1794991525339, 'UhDlTD8-Rsl6eZ5n54FUZw');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('57dce74d-f8c5-4c91-8cee-f7e473bebc0a', 0, 1794991225203, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'w8oHeuByMOnJSihiT1o-TEWL_36sN6lsLgWOKsv-nBA');
INSERT INTO porchlight_audit VALUES ('57dce74d-f8c5-4c91-8cee-f7e473bebc0a', 1, 1794991225203, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, '6dcb1d7d87da92019e445565df472987', '', 'tOgGMZbfFZxYrvyBU7J4nevf2BaAy0E4NEUjAacnrEo');
INSERT INTO porchlight_audit VALUES ('57dce74d-f8c5-4c91-8cee-f7e473bebc0a', 2, 1794991225379, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, '04c5bb95a2717ee1154b2ec8b281de08', '', 'qQVyZ00ClQFtSa5RNMwDsK3K3ayeTQSiw_CD8Kzv2_o');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('57dce74d-f8c5-4c91-8cee-f7e473bebc0a', 2, 'qQVyZ00ClQFtSa5RNMwDsK3K3ayeTQSiw_CD8Kzv2_o', 'rdnZB_IKieVuOenP2_qOEHCZKTiDmDFtskPYzQCbEQA');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('qXWKFusE9F__vadxVS-RW7ld96c1H4Vir-hhg9aizbk', 'Java-http-client/17.0.15', NULL);
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'VJVNlMrpg5KsZtWzyk_1UTirwNu9sfQKSA-tKa6HweY', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'UHQ6q44rPQG7Odgs-uxpiBYUBnOPcfHG3I1fdyszjy2NsGGqFnqE6pLCLGBz4dDJPH6yyeN0XRSNtWOSYWhQefoKTMVdOE14I7iNFxoaImOFFf1HTpHrPr_l0qeyjfKaHQWtr_nyIxNmKPkUU5S0P6n7YpG4_Jlu5Vpsp2qdUmcUl_fUdwgjRq2kml5vcjH0UG3uTRRQtBSu_YkwPDDDZoib9DIaxCB7xgALPznRVaHoSwGbWbDzK0MVLFtUCI26f3UkmudDusJUxQNQ5svyyaUpyZFBTv3is83ifKPfYaQTd7jd6kl8VM_9mQ_7BIsLNlDeVh5jgnUaVPloSff6XFw', 1794991225359, 1795034425376);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'as2qhkD7T-FsktU_A8cui5f2bpjMPLyOfk_XR_1h9o8', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', '8y-Kwi53ABGJq73IfaUQsmpaDSGtgrrESYet67UAcDL8W1LEu_PdwARIRT34IEE6X_NLpS5JgOBf6POJAJq73hY5iAUUNLbB3dig7q4XH7NlbJPKDllYFntq3bOhY4KlwUnkaeV2WvOcEjJrJY_wiQlvs9C3pypVzYyOOUEQA6AdmJkT3QGDSr1Jnu29JrqIaEfIO0zc0g56EbS3kzoEtEgO9mbYgdxZNNi4SZBW9gvmFhJAZ1Yih6S6yazRzg18GKrm62p06hWS07bBA6GjQqoI5HWbqUGv-tQzzLr9eHFGzN0JTn877aSH3ZsE3RS2ZVWZde8uV1CVtwt8ZZeds84', 1794991225000, 1795034425166);
INSERT INTO porchlight_signing_key VALUES ('2c0d010f-c3f8-41a9-aac6-d6ffc8f0083a', 1794991224343, '6fBgLtlyQWSUhjEUPlS0hg1y6EJ2LueT0GiX_T8_U9Rh4TIJPV23zGTLavxwOuFUgC7jToeNTJsmyNgExCy3qLf43qCV1RWiwClPUoAdMPBvmdGWnYSq5ApADRJWowwRfRpGSzNJJTmWnI_Mw2Rj3nvt5Iy0ZZCVHIxxrrQwTL4l8wJ8Or74SYWbpTgj6b-qy3r7DIe8v12xokPzCVEfay9LNq-ghaiS9nGhi1HFGz75gHb3DAeAlE3yIEH5uo_1s_gWA3lffjOOITLEDQeoW2elQFgGKQNxb-_JXLFu9vrO4nvzD0feNxDNVicrz0JHLbNTGGTq-rt0kiL_GQoC4yBWxnx5RH6KAbl28-bKCn3bCEo');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'oKQhUO1mxOTibKkPMais408WqfAR3YE6DviPkSUbymmviRC7OUjC7lS0y6zQWeKhWQa15H_YW1jOa2UUh9wpBK5jIm-A4XcC');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'kRZwYflSDDMbInOv33Sdu57-CYTqdbD_vtI0E9RsozVu4_VTHokvu-XpE3OxSHUlYgDgYbX3eibazgRkLn7HAKM5wLRUoJyJ');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'KlwSYJLFeOhT7qdqD7aR0hCckJDN3z2hCdKFN1cHQoGQiMkzN5xTH3rELHXJiEksnpS8spzy5qg3wqUQSz6xEb2vOxcJLnNh');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'Sbuyngu9zuyUC2_UjgrQ7wB7VWVIdfnMJilbl3x_c_TYUyeoWrXQh24HGrtcIFfNZvqIvGUL2gD2s81pctEEJS8yFtTSgJYe');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'TumeOUjEAYihImNohaEvdvZZMYlOvMIbD0qqT2KCBp5tNEYoCHjpJseIdMQMer-FgWnG0A64mFeCTQPxTTqGvEDFCYJM9P1n');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'K8sByqTl4SvNNvizozmFP3nIEtEjK8e6p0QImSMv7PFczFiRzfzpUhCMSmaaOubsuCskw1KEJU5eBOAdsHFi1qU9akLwlWE2');
INSERT INTO porchlight_stable_key VALUES ('refusal index', '35txMCBHW-xx7QflhE5tULJ0wQjfbzz3fId4becYevwA4Ml0PP_PMYUziLdfjbk1Sdn424o5ZMcRDjwckQfoYC-T-lHCH02W');
INSERT INTO porchlight_stable_key VALUES ('removed passkeys', 'lrk2jUULLNMX1o5BjFprN0B_BrNGY8oj0bY1gZVkA6ie3fxCh-FJcB8u_jYSDTHo_dWoLzAjxVNruJ0KsZypfy-S9cq6yDDx');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'GQQ-5EJZZ2ldKWSerh0wCglM0CfmCxfLHHe7xvGK9XFo9RKj5Lgxfjisu57flqy6I1yzzFtsllIRXgUtO4G4XWMTQX8QYSpo');
