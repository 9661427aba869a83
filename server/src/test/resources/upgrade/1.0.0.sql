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
INSERT INTO passkey_credential VALUES ('F4_Mf9hV1cwpcWTliQRkRe6ONQ9hUGaQd3WASOXAadY', 'ada', '{"kty":"EC","crv":"P-256","x":"SGjEY02aU3iy7QCWQQxzl_XslEx_x5sW8DbQLbjak20","y":"7wcv7QTviYGkruZsQO6iiuMPqZF7WRPQC9iZEZU0pQE"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794976929125, 1794976929260);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794977229060, 'TYgM-nrdJ0OJ7wr1AjA_Pg');
INSERT INTO passkey_used_challenge VALUES (1794977229244, '72MFLtk-MWKq7BVol62sAw');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('d73818e8-7e20-44bc-82b6-c28174377307', 0, 1794976929198, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'jMWN9sU4a4NG5rs8K7FEiTya_rYGinlLqSd54f0r3pk');
INSERT INTO porchlight_audit VALUES ('d73818e8-7e20-44bc-82b6-c28174377307', 1, 1794976929198, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, '17449f621037557a960be75056282ddf', '', 'A4JycreQybWuHkzTQm3uPHvaHvb1ZiWU7YW2Z9OlQp4');
INSERT INTO porchlight_audit VALUES ('d73818e8-7e20-44bc-82b6-c28174377307', 2, 1794976929282, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, 'b81cf86f7616f7953e1a5c5f722e817b', '', 'sjNhL7yjstdIkyl8KJPyy-88L_PZAzDrNLlN4qXXTd4');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('d73818e8-7e20-44bc-82b6-c28174377307', 2, 'sjNhL7yjstdIkyl8KJPyy-88L_PZAzDrNLlN4qXXTd4', 'IDXzu3p1T3tTCMw92qdgdEKUA0k3HRIPD476fXw5MZw');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('F4_Mf9hV1cwpcWTliQRkRe6ONQ9hUGaQd3WASOXAadY', 'Java-http-client/17.0.15');
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'HXL_rMdxvo8d5NotjAR2l6Ip2FVD0sbfaHbCa32o0OI', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'yUUp6YRWcU6NciJv3UyjqH2ujBqhM3A7Yj6OZQrhNNEd-lg8puVD_Fk1qaMfFe2Oa44Ao4bRUbKgGhQdsniiVUV5YkmdPIT5cNTF84_eOlOxfvb2Z-LOyfxcdlOQxNOud9alOZFM8isjib2USsxL5U1D0kFGitImlEJiEJWlemX9oH8a28jvhZSGHzYvR7-1fJj2pYWPcIftfetjMGmAi1wOw2OwtvuH0l9FOA9e4KteZFZWnythx9m1FK9L5VA2lKlVjpMHWeTtlcnLrKeiGkZub8j4By1ER6BSWUe_I3umt0SYPWPcvoZ8DsRHnhsIdYrol1dxluOzGD2efQj3j3XX-A2UtBo', 1794976929260, 1795020129274);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'w5lNC6zRI62mGMJ1IBVZlM7wlBox0-L62TPxIuwRwFI', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'qAYgXFLgn2OEdTDtS649W0C1_YOUXofdFRRj6KHrPI_4HL6eA6Bvg8KNDVZgE1_Jt2xGDDr7Jc6TWSI31sVzusKwReTp8Fktg7yPz03YyWrhWmJgZuxGo4LbrmzQri_jdkSzqXkT29DYQpGR3_MLOJ3WC86flAki0KLqegyJyDNZ4sL86h1oDNEhDKe-_-L1uhbqCtf5epByqHz6qSL-xfYgoYDvCLq9_36ISznaMNY1Oohv918yBhJ-aHaKltsvO0W85yoyBX0x7CgmQ2FJeOXsYlV-LVzRmIuOonjkV8AG5cqsHoGVJfIyzx9K8SiYFAWe47n09ckgEggx7P3C826OzRu3Hvc', 1794976929000, 1795020129181);
INSERT INTO porchlight_signing_key VALUES ('e2f733a0-06ea-4fe9-a91e-52fff1902dc9', 1794976928515, 'UH9lmS-10TfbKmdRHN3WEwNMoSwKSulMd_7pj39-nqlY5YJffYyElrSRVAMd4pdgaHVE-JE3_F2Jrox7P034S_k8uH5Sl8-_ntR7T7xkD7K8ZqV1VY-pSYCA2iUVclTvPEu5WfKboT_THRnjak1WToTZl5C8O5efi_rJzBLHVZx_OdFczECZ1BnsqaOgQyeee2qrBDYzqlVl0EfbMDLsQKDVyj1MDICOfdcqk5ZFF1g2eiY5J_IGMpmfM4kvjpUWfgeRsfWrp82EcLlzA1mFMXmZQxm3_7fbhbjj1qQ07xCZle3L0Y-FUKkol_wzO0I81MFhy8051DKLTdMceRzVid6Z00fZ5UNq4IpqwZURnJvv9ik');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'IY3d-DrDe7xesi55z2ViK_WtRM1BmjrkX1d0YWkETRGRfm_uVVPgvRGmUTMC_HmkuLjLSPkdKZCvr7AjfCZugmDUvCDrCRDC');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 't7nZY5szk0PopIqeXNQ6iRY0hTsWhyWZQD7JNLz50LDXXOVi_K2k0ywpvs4CdmqwpajJgerD31ZB8xkxyz8b_2cGy15y9MZe');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'eT0-6vOmm6l7WdvnGt2Y3oTkH6Flbv11pNw9aZByVGMaWN9cvJoRJXfPbkZJpAtghCXVYdPRP0AuMYo4Qx5DH02i03PmYF4l');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'pw8Aw8MQqq_lnmUVa8EypQk-I6dhW9N1WlguSnTCxTD53kOrHgEpQ-kTWEHbqP4ppUdcI-g01UsSdGG_07UdPNpmIuRZ36cS');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'Nnurfm7EPi5ibN5Ec5HbsgeMI_djD0NQ2SnK_M59isWpbMk9PtB2mMrbz-_KnkCCgT5As0S_Ilfqg5wb0gSzaENZ8Tj5SqDZ');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'IcPfrcPhw63nX_UXrL3SfvBUJyQweG_-Y-h1e8b1m-tCids5Jz_Nu1IlgoVvDZF1mPCtXCOnCj29LSNhC3qzumdmd3IJtZP4');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'OkVvuaSx4BbmIsIlntLHsD1F9qei9QYMhGdHFaaltq5HP-ND97V69jBYViukRWhL7xkBZfwMDKqmeQDRFChr9INSYTnq8Yw_');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'AdrP5bmnDwtDjSTQ73JDFM1ewZPdf3odlcH_ZgvgF3xIs7k0lWqN24cZpeNJdcVSty9nphK8dk7NCj88wn6aoBtDrojsIcZm');
