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
  user_agent    TEXT NOT NULL
);
CREATE TABLE porchlight_probe (
  probe_id INTEGER NOT NULL PRIMARY KEY,
  writes   BIGINT NOT NULL
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
INSERT INTO passkey_credential VALUES ('4d0TNFe1_lUEcwtqOAnZNjmrJaZZFgG_hCC2xabfY_4', 'ada', '{"kty":"EC","crv":"P-256","x":"BSvemPMSRqF8P37I2uuk_zyOINAzE3ZXnImUg-1Y4T0","y":"9ZVlO6k7KTiRha0mHEibDat9kbxKNj5TUz5nMDsxtww"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794987332999, 1794987333539);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794987632846, 'hgrd9q05UZNImozaRJTnOA');
INSERT INTO passkey_used_challenge VALUES (1794987633482, 'TPhmuXkak3DyH2mxHH_VJw');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('dd05b62b-d4ec-4301-858f-a2abacc41d8e', 0, 1794987333357, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'X-t78TbVv-UOuUbpKvNEw9_VswOymsxwF3fcoVreuQU');
INSERT INTO porchlight_audit VALUES ('dd05b62b-d4ec-4301-858f-a2abacc41d8e', 1, 1794987333357, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, '46d87bc9416b315b86207ddc37079fc4', '', 'FCorzEM3O2LYW5OBsrrDozo6I9wnN040DdfYjQd7PNg');
INSERT INTO porchlight_audit VALUES ('dd05b62b-d4ec-4301-858f-a2abacc41d8e', 2, 1794987333608, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, '1c91ff9dc264910550ee2a1009c9eb80', '', 'VNViq8fHHehmYucjnrV3CiplC0QUSnZ1ewYbt7lIlg0');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('dd05b62b-d4ec-4301-858f-a2abacc41d8e', 2, 'VNViq8fHHehmYucjnrV3CiplC0QUSnZ1ewYbt7lIlg0', 'WvV-j6DvykPfHB4qk2Q7y0prt24XnrOIN5fk6dMyHTQ');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('4d0TNFe1_lUEcwtqOAnZNjmrJaZZFgG_hCC2xabfY_4', 'Java-http-client/17.0.15');
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', '_AfPMaK1DQzl9XbP9TPd2W8s9HF-6KfzgpyeVU6A58c', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', '1Yx2tF747QQYwgEY2CaBNt3Z7ZfGFHRyDNX4D2S0rVSBoMs6IwX7uUISwjNFF-kQ6d-SIBdPXSL6gU1ukxAK-brkIkpSKYHYW1m1YaKTdipIcWD_1dvbJRUQKlf5gMLxgR7HQvVBaDtZNCDZDFNnYxP25P4odZGNIufFak3VWbLeuzBNfKlIpq6Kvpt-bvOYhr-9nyM0dhULQ-wFnj0Dt2z7BW6SGByUirDSp4sKiSxGPYim2aeKJyux3cjzvKzzYW6ZX6qx8051Lnpr0ph957hKHGrY14bNHVpQTXzcob7w0jmrGk1Z6JhVrfXEela0laQbjVXXFTXwZ04Jm56A524', 1794987333539, 1795030533589);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'oOQ9vUz-AmuXc_wWGvRVo6Cb1-I0K1AQVEsBOY4ir8M', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'N59c-ne5KyFTEGON14CoUlZE9iwEDWB1aSYdVNiMOzLRRTWNLp81ilMy7M8iTL4jl4Ar924UAph_9hVABSzyY4zOT5C0ta1Mhw-JZXBajlcINVspZn-kebzyKrZ6Qm-NVardzZXn0h4V8VWMVrT11NXH-H5w63ivaMS1YRJguvPFeZdRJWz5NbAFeDtAUrH88gFT-nHhR6hEVFIERRwXqONQogfyCJcgOG43hQOkuy4wx8nZ0Jie92qs-_zUXYxnQZTXFGYqVarYyZwqPRunMcIaQFdzq454_OKVof6ouaKERgE2k1OO6PwN6swlhVQDOa_nomDIH1wLUD3eExttdMI', 1794987332000, 1795030533215);
INSERT INTO porchlight_signing_key VALUES ('7df82c29-419c-4e60-94bb-54946ea4b8c6', 1794987332808, 'EM11KI5hwVt9cYvq4JFaIbG4BfzZP8YnXeUXXh9CDWZYQ9D30GO8IKpUPT5hqtaxQo4R_yi2Ep53m7T9Q_ucwzNiQqAOyC7VvlN1-B-YJNY2_ALudBAwzpi3KFL6VbddItnX_ZTm2kgFUWR3h9fVxfX5NxPrMLG6FNArLWCUsHaQwplzmF37uzqWlOJANrL4v2IUi9XNq1Jkd5ri5uxxuRCUbK2iKsIjqO1jgW4LQGslwjRnXRcNg0ouwU4PBqsaofvtL79JVBIIJMQF7mhpOY2bCqcxsKwPbX01NX-MjEi4F-q1vc9rF1oXzf0Z9WaoTewJIF8_pD4RUoQIxb2MWPU2-xFOcXFyybeuVC5SIyYWCNo');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'hWTLECQ52qzRxBDEzcw4iOGRYyC6abhu0mborj4DXOnTMqxE_WG92HOV4QeRtYQ948p76YGCh8LlnR2ZTnY0pm_QpS9mM9x4');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'W4TCiEZSnTMg2j5jls3SGjpBTxlvhDy6UsPyU3kumvkq5_5Khabvt6SUn-KxqCjgrm7JtXv49jhHyW6ecq4bCuKviZ4PRf1h');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'DoGnqdgDr1CKjT65DxdgymnI2BPdDqJuxa1bjqvlwyJMyFAjRtLQDdMaDlun3Kg3dYu2JoN8A_F8-599mOVFzMzjfh_aC63H');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', '9PMwJd0QRd3z9KUWris3lBcGi_eu3uKUNnUl5NkLJAzDAPaSfy5NTHiznsmrbCCkMpSCyZ7cZRMBfQ5BMidO0eipo9XsdukH');
INSERT INTO porchlight_stable_key VALUES ('operator labels', '_IlR5VKViIZx9TEc_lUJT3UxsFmq92mubVI2xLWX4wJBfSI6FWM9D3-n7Jdcet9dvbVWcIvndVXeVk9IFktSROvUdJZh9rTk');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'me8_A3uBSur0kb99uZDZLW5c3tmAIOj34V8lu3VkveB1z5xaVtu1rL68CiQd1BIR1tcugPvULPSj1CDSKhzl0waoRSoXJVYH');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'BAj-Na8ZOSXy3BijFql_qGWrsipurxw9ONPrk2_XbZAlDBhpRw6bj_uYmfPqOImw0EWfa0SIL4Xaqe3dNTiLtACfTviwvElz');
INSERT INTO porchlight_stable_key VALUES ('user handles', '7zqetcWDOPnYy03tV-Y2cWoRuBSo7zrVtpbLMO0vejYU0lz5dHTLD2HaYjK_Cuyw4Dg2m_jKvclICahJi25pCX8r264SkqMD');
