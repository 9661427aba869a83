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
  refusals       BIGINT NOT NULL DEFAULT 0,
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
  user_id TEXT NOT NULL UNIQUE
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
  expires_at BIGINT NOT NULL
);
CREATE TABLE porchlight_passkey_source (
  credential_id TEXT NOT NULL PRIMARY KEY,
  user_agent    TEXT NOT NULL
);
CREATE TABLE porchlight_probe (
  probe_id INTEGER NOT NULL PRIMARY KEY,
  writes   BIGINT NOT NULL
);
CREATE TABLE porchlight_refusal (
  refusal_id       TEXT NOT NULL PRIMARY KEY,
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
CREATE INDEX porchlight_group_member_by_user ON porchlight_group_member (user_id);
CREATE INDEX porchlight_openid_authorization_by_client ON porchlight_openid_authorization (client_id);
CREATE INDEX porchlight_openid_authorization_by_expiry ON porchlight_openid_authorization (expires_at);
CREATE INDEX porchlight_openid_authorization_by_owner ON porchlight_openid_authorization (owner);
CREATE INDEX porchlight_openid_authorization_by_session ON porchlight_openid_authorization (session);
CREATE INDEX porchlight_openid_used_by_expiry ON porchlight_openid_used (expires_at);
CREATE INDEX porchlight_sealed_entry_by_expiry ON porchlight_sealed_entry (expires_at);
CREATE INDEX porchlight_sealed_entry_by_owner ON porchlight_sealed_entry (kind, owner, created_at);
INSERT INTO passkey_credential VALUES ('ngWB2lNOSS-Qz0521bPulCUB2lz3nP5AeXavoH5K3l4', 'ada', '{"kty":"EC","crv":"P-256","x":"fU-I3XKKmrwlPabzqumBRrdTzvE6j_qxi2vr0LyTGOk","y":"17dcWvPVLRdOMuiv73Sfonr8s_Hyah7JUrVWitmn2kI"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794964343991, 1794964344607);
INSERT INTO passkey_decoy VALUES ('shapes', '1*256
32:usb*256');
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794964643786, 'j9Yr3WCTcZdsRJwk8BrUDg');
INSERT INTO passkey_used_challenge VALUES (1794964644581, '4L3j4qpmGRn3nyV-wXB0KA');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('e065c138-6c5c-432a-a26a-5d73b41d358a', 0, 1794964344174, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'X6h6gbUj5MiHelWsle_qSsGXzRyA0Cjqp-3TDcPuc5c');
INSERT INTO porchlight_audit VALUES ('e065c138-6c5c-432a-a26a-5d73b41d358a', 1, 1794964344174, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, '2b3688b7d5c7fbc718d101615d9d3e25', '', 'Ul2r9WCxZ4v2p9XtTQKF00zv8AxzQGepM7EfZ7W-7H0');
INSERT INTO porchlight_audit VALUES ('e065c138-6c5c-432a-a26a-5d73b41d358a', 2, 1794964344641, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, 'fc84a0a2820e85153cc61346e7f8d9c9', '', 'UBtN2h96zDFl5_WUgJdzouBRczw45niUpnRUPKmVifQ');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('e065c138-6c5c-432a-a26a-5d73b41d358a', 2, 'UBtN2h96zDFl5_WUgJdzouBRczw45niUpnRUPKmVifQ', '1-97T_2-8ktOJDae0B2oIhJ2Jbiq7bYnBErpEZ0rCtk');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('ngWB2lNOSS-Qz0521bPulCUB2lz3nP5AeXavoH5K3l4', 'Java-http-client/17.0.15');
INSERT INTO porchlight_probe VALUES (1, 4);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'RWa-ksdL1zdbBHq4nhzQPainVoiLXBlDw0PbGJYrzMw', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'OdltBxhLO_q68uAWhR4qxayCoktQtjCdRp3xbemLaXnrobn2jkjviiCgyyeoBLhEjgmN9VMBXBiGQynMyubJp_CpOwsmu5aRVvUXqUE4JsTvKINGSNLskfvRFnuiXf-kFhGbUoCuZ86iBaY5CljYI_HHol9U_Wla6ZkNJoODg_Aln9xky8OFLCzuhmcvKWAwrmHGoIWXhC2et0HwhV1RjFPBo3U5F9FFPw2wtnRZGzMbWcmlFfJl1Z5IISPljV5cFhwEWYvOFRKmORcMS_pjH_SyKV35Y3E77U-744lE1DN5pYLn8Cnb099deisw9mqWGh8JyPqvh7vFoQ9XgusHzb1IXBXr4_E', 1794964343000, 1795007544139);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'dRqcZ_yn_Rc1iyUPpnXf2p7EvqeKkts4WSBw25r8NEg', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'PGietnKGkcIgUqOrgZ9XUIUg0dlIsP8hqAtS5DhKh8QxvYuwuINKdCq9HfYB2OD5bJ_gvp6gChaFx8-S93ZXd_xW_yBWiuzb03G0EyS9rYX_ZbLPmt1jvnGXT7vnkEykMpuuDCJO8Yx3JwRFdc0sxDsGeUMjIaqoF6bLpXMt75URcl5m8bVymZ-VUch5a1HWmOybuMhtDtgbLT74NeCfWRcS_FkbyP4Q-NAvMFpPK0QU8mDMnHCFBrXMJgayuwFz3Wrsf8Kus3TDKN2-TxxuJiqdswIIdu1x1OJCPgf-znleIk7A-azb1Fu7DUBw0Y9ZbIKa8vfZjQ2JOo1EWg2ScoDxCKMuS9A', 1794964344607, 1795007544616);
INSERT INTO porchlight_signing_key VALUES ('7e61cba8-d29c-4b84-aa1a-d6c3ca37e1ae', 1794964340618, 'sFKPAXCCpsLdm7w63H_BSGl-w0QPUQRqDG21orB-aCHzen8FSn94a_Nc9JEGXNSzx0hu6HZ2aO87d-pSnSyR3JEJ9S7MV5o1vkTNXWaV6kNr2zFPZh6i82CXWbXd9iTu80K6ejJfB67MWT4pL7yPPBZmmfHcBzfRYiAZbfEuju9P3CgKVhC4yBVtwvorP7wGgtNYopewvUALGSjRmRms1wgh4Mzzx0UsCwNvC5gpPIVZN3ZpVK19g8VcevpCowG8Zj1qr_YzAEjAveRGhaOJiOqTs3_0uP7GFK0dphc3zlZlehVROMy_NufI-AiSpvIuJ4HAIn6byDytS9URherJL_3cDYU7OBSzPoZrtsHt3gYUtjo');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'Lc_rwShdfpFlwy2s2jYixkfMmewual66HdC-DKPoKLeyY-gaHo4pCrLsg1jgLL3oVETF3YYe6IRHj0_czJXVot9U9U7A4xWL');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'PWyxQ6xOzPo5NM0jwob76HgnEw1vJjlPkOnad8aBu4Jt6uBuKPkZ7Cigj0moSzFOqXIrfpEoGfGXTFlYbvnB6I3egiOK2tBj');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'fIST7zlZkcNkvxlreope8S03N6RHEh0QK93aofUVsi0D7HSbcwR928laLM8j_ImMw5-H8llTM2YWWJHx0582s7vQpobqIrOb');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', '8YQCezCW9lBHjAD8_tnI5ZMoyNug3UmzL8UDpJ8YpvBIUOsGD8_1nqdqpJU_MzolSvT0-5wp8nSUUWzgA2VJk-TQyVY3pUtq');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'EHpThHshiUYNo4QA4cAnz2dmtcFa4ZN6P9HiOLd0ENJ3J2ZonBE7dnOhg7a73PPbYRXZ2WiZBZWIPTxRjIVeuH2qAoRf7gHQ');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'AAr3sxhMpFmpIQKscTfyy2nJK7464mo1P06IEsCPJwBemp52j1QdX4kEogYBQrUnkTvYuuaghkDZxKXS7ll175pKpBQ3YIJg');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'PhWY-2MLkA-y7PglD-NsvZd35ifwkphz5qYuc-mlmI5Wy-h1tymKUe0oU-2ghI-d8B7LV94twdQxgselutbSUQ9y91JXss3f');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'ObO4MPUvQZqnKrgBw67oGfeSTJv_C2B82OG8MUMDVxQUCbO_JpD7cDCFZQCBzHm1HfbTUX4w0ejfK4zVZmb7zKdAsJlk1rAW');
