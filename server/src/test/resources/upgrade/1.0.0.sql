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
INSERT INTO passkey_credential VALUES ('sgZ_SYV8_SuAJ1u5sHdhJozppq48FfMn3DtPxHnhDro', 'ada', '{"kty":"EC","crv":"P-256","x":"pSypibuXXud4I4fR6vG3ECPfbpEtJ-SLJves4gN_-_c","y":"YChU04GCnl7ZlTPW5_xLXhnSYLHDkFXYSrEx5Z9s2ug"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794987472441, 1794987472455);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794987772432, 'v4qbEyx_eUBLBmUO1jTuQg');
INSERT INTO passkey_used_challenge VALUES (1794987772449, 'L9T1kTUhkVYbnThs25e6zg');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('43c87697-56ed-479f-9a1a-4dd5829e66b3', 0, 1794987472442, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', '1rHaicT3dmfwmSYdyfAuBZNzucaOXrjyl-UAyrLwcrU');
INSERT INTO porchlight_audit VALUES ('43c87697-56ed-479f-9a1a-4dd5829e66b3', 1, 1794987472442, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, 'ec4e2f825390c1e0c5d9ff2c81204af8', '', 'y4FQV3SBy5nQfj57UTLSg0UGAfgVW8pkACl7600CuhE');
INSERT INTO porchlight_audit VALUES ('43c87697-56ed-479f-9a1a-4dd5829e66b3', 2, 1794987472463, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, 'b45107c9e37e073ed87947c20ac243bb', '', 'ga_dWvJJA9amoYM4WMLiFTvbupUYzWPqwLmz7v79c7c');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('43c87697-56ed-479f-9a1a-4dd5829e66b3', 2, 'ga_dWvJJA9amoYM4WMLiFTvbupUYzWPqwLmz7v79c7c', 'UB0SuVIFT1Vs3_joSOewjTXHdSMcuXGCKPpzlc3vXDo');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('sgZ_SYV8_SuAJ1u5sHdhJozppq48FfMn3DtPxHnhDro', 'Java-http-client/17.0.15', NULL);
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', '8LSHUoHHiLZTbQceyt2Kyubg49ZhzttSOZ5d7NOn27I', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'kEGRRhgogaX3yzhAavLgzBBhj8mzmhzarPXE1LgAN0wrVWqbrhyRDwYIrkX1DAc3vJJgyOB608rPAzsKVhQus8XGNLKiMyihu-96BvgInOubwe7QGtbuGLuVaZpuadqr4rhmZ4Zv_BR8L1c411KuomNsFOxt4nUj1D0zvBq1d81XuD22e4jntWCkKDkUEi7nULdQec1vl8hwG2y435F-5Kc_BGsVkEwJeYTJUE507wcJ5lfeesp87Qwjv23FOl8iJpLTc4mbhMF941_OmHOshctx0DP1iGSIU9y_cM-5imiqf5YEGlBMkHp4hJ4OWVisj0O1VFWr7_GR1Gauw79d8mY', 1794987472455, 1795030672456);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'loKO5AQdL5HOo1hNwMO--UB9q0BFotoW6cBL0iVa50o', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'c8QT3XrkoV9p9AKTvRxixaTvVXHOuUz7uh60uOzZq9lXI92equfe2x8xmg6qd-wVmaJj865Xyr0HTRy4MCqhk2q0ynRDxzevzb9shTJzS3TPYSeBXSxiXFuSO3l5A72k1T6C_iyxZt7hIpHrMoTRfGG1ZzPRQcaF-iSL6XKHcJr5prz7-_B05YRVt-UGKgGky4OC1IrbgVtNI7MZWmaPqRu2KmGmV0Xbl9zSkGehfboCUvnDr8fmJmRjS0WObTr3puJk4XaqS-gm03RBm8gJIbtTpXPP1e9_67re23nfnXNJjJFSpaTWKkU7tS29W_htFCkn0RWqnlN7DW6Ja0H7VDE', 1794987472000, 1795030672441);
INSERT INTO porchlight_signing_key VALUES ('2c1cdc1d-aca9-49fe-8063-41f402fb8a8f', 1794987472424, 'eVhDiHXycjA5xYqWhQ4c_p1kt-lUAnQYNEGZrWFr0kMAohsuTGx3qe1O-GsKgtp8Xv_A7XECD5HWL3h9xROlnwxQbgRKqybTpeGHESiHkC3WxSH5mHviraK-DVqNqwJBypoHwSHGA_OWijPyrdE-_B0yqWjzWSQSkfTHnw2IXN0ed1nUpmb3FJMrtw6rqvwraikEYHk2_5gqZ6GOQd3lyXdNX4OVZlH-SXPxLkU2LhdDKbjXwi-nP8_B0Yv9E7AUMVENqJdrLw2Qx2rgJH_JKLbVBkYzDcLdEq3XggP6HFkymjrEwLyRy0x3EQ5OhagFw6E--QpEdkwn-vzzA6Ng5ABXTyuDJ2dm1fDfsYA75PM_SYM');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'HauzezNWfNyA6cVboeR1L5PnDezR8m1azEv4jJnP-rkUgt6MY9K0kYck5Y0XRtMv4CdY3ITd532gW5CkBCPpgCUc_sfiTvIy');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'dFb4Rm1eDqcMbXUhPZOw2AZwHoLZxaDlnHR9ki3evhauvRXmGq4I4p5n3BZqWi7m1m0YB3_1eCsOPxCGvMvyxYhwT21DJCd-');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'Zchb_eK5H9R37CKTmw2oLt4TLfUUSZsS3KmlC-OynLaUzuaPjko5rTJSgqFpJaaYlsT6W9k-a0N3aP2O4v1Woj1RPvlTsd7q');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'sGxdEmjeG4IqSPGzaaN7AA1WCO7qxjbyEfU6WTE7IRgRwFIUzgz8DkKn-4_39dNsQux2U_NxBix4IubqeNfXp_lcH9RsyTid');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'Hj9dgVMlu7nSlMyDTvb_4Vp1-fqPxllrTUKWsfO1Cmwl5juXgj2Axnc_kC83LR5Eq-Xvu92J1462-VUnQL6YW9TMRc2G2l-8');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'Qo63OA25wR_QArOUisePgp1Y84Fo2On_MqAXLH5SBpq8LPF-orRA7BvMsDJcgSUsZ-ibLEHVB8uk6jp6N91Bxv8FwDoOoolG');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'nkSOubMX8Vd7AvhyhRUroaDoq633g8ChS0DiZZ4el3MgaqC0DTNVPaudHE7AC42lOjF-vH5nHSUGRl2mic2rMljVkjJDSMSz');
INSERT INTO porchlight_stable_key VALUES ('removed passkeys', 'pDorwZEyajZMGPMbRCrIGkHqAvpATqcyR2mqjECiiyjCs-BNeyKEXE7r56DYi4qRvL_lxypsaYoifwBRcqcaeE2h0qYMMrrr');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'w3UkNQiKbjCjuQEUw5V_YyeE5bdMDd5KsWIr3YQMUNjP3C6zdJq-vhFm0qgPE0_KHBX06YpaVnqDYrOGJu-M_0zTfQs4zUS8');
