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
  generation  BIGINT NOT NULL,
  created_at  BIGINT NOT NULL
);
CREATE TABLE porchlight_erased_user (
  name_hash  TEXT NOT NULL PRIMARY KEY,
  erased_at  BIGINT NOT NULL,
  locked_at  BIGINT,
  generation BIGINT NOT NULL
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
CREATE TABLE porchlight_reported_event (
  event_hash  TEXT NOT NULL PRIMARY KEY,
  reported_at BIGINT NOT NULL,
  events      BIGINT NOT NULL
);
CREATE TABLE porchlight_openid_used (
  token_hash TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
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
CREATE INDEX porchlight_reported_event_by_time ON porchlight_reported_event (reported_at);
CREATE INDEX porchlight_openid_used_by_expiry ON porchlight_openid_used (expires_at);
CREATE INDEX porchlight_sealed_entry_by_expiry ON porchlight_sealed_entry (expires_at);
CREATE INDEX porchlight_sealed_entry_by_owner ON porchlight_sealed_entry (kind, owner, created_at);
INSERT INTO passkey_credential VALUES ('gqI746dStaM2M3uEUY41eUfOd1qduAZDhBI_S7hzO0o', 'ada', '{"kty":"EC","crv":"P-256","x":"lGCdP4KeRF4FYpZUrwNvIXT1MCEsR0PVfHM9vscRU6c","y":"hqQwogZycfD_qPnL0KcAdeMRCJA0JfPcsECxtqHa7K8"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1795001804906, 1795001804927);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1795002104901, 'v7L_BZsL5oCE4uDOrOKpVw');
INSERT INTO passkey_used_challenge VALUES (1795002104920, 'TGg56R8Up7LHAY9M6aWGww');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('63e0093f-9388-4a11-80d8-14bd55a42aa9', 0, 1795001804912, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', '-DPA_WANx8QedHtxzhykRolYtxb8oFhLC0-pOyjY6Ms');
INSERT INTO porchlight_audit VALUES ('63e0093f-9388-4a11-80d8-14bd55a42aa9', 1, 1795001804912, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, 'c2f929fb0ad4318aafa24b4a1f773949', '', 'mMLmJ90b-EyC0nYtldizeG31FSNTP06jAwi_6d1vj-w');
INSERT INTO porchlight_audit VALUES ('63e0093f-9388-4a11-80d8-14bd55a42aa9', 2, 1795001804929, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, '3999579258c35a3c40fdab6ea68ebc98', '', 'V5C91CZ_LHfy7h07BEFed8-5osUFdsjXKOrYt3sWdNU');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('63e0093f-9388-4a11-80d8-14bd55a42aa9', 2, 'V5C91CZ_LHfy7h07BEFed8-5osUFdsjXKOrYt3sWdNU', 'PzAaIrII9hSY-Jq-os7fgQ6C_-UIfBGabpXlsmlxoW8');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('gqI746dStaM2M3uEUY41eUfOd1qduAZDhBI_S7hzO0o', 'Java-http-client/17.0.15', NULL);
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'KfbW6vZIak_2JgSBalu4W492WlbwOxU0Zhz3Uyj75PA', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'xCnJuVMApvIVHfNWGXGvjxy3PTJDFS4CDYa-JzmtNB12UCNDxXd6n0fby38B6qTmx2ZPAA87AW1yPiOErhSkkBbORPDSt6Nmb2T-wtJ62qApXjn-NGg5NP31wBK7lYMuOuPlJUo54COximtqE2vPb35wrTbykSSlsjCkc_QevuLBdGXMXFFZmlI1oJ9kXgyt49-cHRr87j7d2lD6DtM4Cz51ku2jBnG0q3WqjFI6ZypbPSogEBGrNqFqg0oR8UAVnUVu2fFWYmdIz-NZ5JXqCFIuwSFZ8oK9X_mml4aGJtruNxkavuXVy0GL1bqgI23f2uLTlg2_g0G0KgAxQ6gBSfM', 1795001804927, 1795045004928);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'Vtvo65zCC28gZxjhfPF6UCBgvRpm8FhHnLpVq5ExpA4', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'RbxsbYp9B6BpC-z0JKmHdcZh4PFRJ84f2jrRoSXBxt71GdkZRQVJOIg6b-EXzhAx7UQ7wMG9kuEoDZwAiLHbVS6x6Rc5Z7pFVjlKt7-mYuh13mJjbvtbF4aHuNep7fNoyyUJnCkm7Qq3BspzLUJDW_9HKngKoWz3W_aRmA2l6NzKu0DcjVtFfWEzqB_1zgRWDD1SvTHYuiJllJlpKbV-ZiJB---_b2ZypN_XPjTpE9GH8yyPsUGnOqoj1qr0piHPs-Sw8TTlXcd8NT77nNEDzyO_hRH770InPxiFmjox4Ry0c51tjJIQN4pWAUV8qwg6hRGrdoPAYvVSvTy1ImHEAW8', 1795001804000, 1795045004911);
INSERT INTO porchlight_signing_key VALUES ('4071b6e7-16a8-4c46-ba23-578a0b9a5552', 1795001804896, 'TBpSqOKkDA55HgtY89p0TRvVZ6uqFa5E_DG6livDcspuNcL73ddKmd0SrHmH0OiAl2ls-HFyLLDILmyZ5Y7B8kv3F6B1-du2AhV26W0Bi-6pygqqL-Nuh4SBGIiANy0zMhMuoiVGOMajYboZFqgaZivW4pC9uio6IpOZRiZhgwNXdbWGe9ipToKq12qe-mhmlnn1zOaHve41fLOG20f8-URoWiO-oLIC2-sHAnelF8dN4KduuaQs4VWVkkYishXYNMvTJ2xptOsgR-8sXlw2QBmkydp82Hlfj8fT4QVRARs9ccwZ6CZsyrVRUfFNAFjqzSbmFQW-RXjGLamEnLoFRz4_iJRlqZSpldgi-u5wbo2rfa0');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'sdSlrvwSDOtKAvVnzh1IHpo5GgefYON7TFKLA-O0BwBjpivjxHcvutgXnVu2A5pg5g5zXKQ_o2E9CH1nLBDrBsJFtHW2-5lu');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'zVxLiAGIX21dh0yZ7aO-oBI8tuITaJBdZAkOBuIIitx2-3ZLg-cC2x1Nwrd0RLM51WTvjIK7ZmSdNGnXYoRhk9Snqe5H9fCT');
INSERT INTO porchlight_stable_key VALUES ('erased names', '-S8Dll6nsedmzpPdodlgLM1RGWlyTglbdRIb_KbxsKMk408AwCf0UfhztHImiDVDp-eJ9PcrwXuLHFUsSlizv-d2QQtVDq-m');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'g4h3l8IryPGqAKkgPWGccJ2VMDRkhYpKpUD4IpRLApy_wo5H6QSs-gWxHmz_YNfMdkrMrPGvpcZLXzlG6A9Vqz-59aalSa63');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'sMT2MjrFE5Oqxu_Zi0DF-oLLPQTu6rBKqNXMxMJsI-R4GjME5jUiOr8zhWCRkqjRwvbPygAAjnVnWHaCAUyfIzcPDVT_KxYb');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', '9vtWrOK4-G_fizrMUjlFkAtli6iL6VxDCLnaXkgNpYBev_gHSgmxG1_c74SkBzRuqH_ZNhB0mMn1YO5Sqc0fVl48MWF_ERAv');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'YxXeUgumbHkb8I09YdeT3ZlcrCt3ZCDihrkAYMZte8iQRppZrfbK6Yz-8g-lsEVwNbKIZ1etZyjfBHysfyeLHeC8zgEusxC0');
INSERT INTO porchlight_stable_key VALUES ('removed passkeys', 'tQ1ZfUjmatoVow7vlovvKqNFA4DvWxijZQhI6Vx-kGksEzNVMfa7yRUituVZvvMMe7pwqHdDCtdXRYPKwWI4lGa0xOS_77tN');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'G0ME7F7fwUUe-tcZpb0z39WH7OelNac_7OtMASelFGcFQ4aZLCm-fz-SbZZaIAY_GbgydWa8ef_AmeWO13-3yTr1MsgHS9GV');
