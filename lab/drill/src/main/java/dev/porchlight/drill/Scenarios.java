// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static dev.porchlight.drill.scenario.Promise.*;
import static dev.porchlight.drill.scenario.Scenario.InTests.ALONE;
import static dev.porchlight.drill.scenario.Scenario.InTests.IN_TURN;
import static dev.porchlight.drill.scenario.Scenario.InTests.NEVER;

import dev.porchlight.drill.growth.ManyUsers;
import dev.porchlight.drill.growth.Soak;
import dev.porchlight.drill.http.HugeBodies;
import dev.porchlight.drill.http.MalformedRequests;
import dev.porchlight.drill.http.SlowClients;
import dev.porchlight.drill.http.UpgradeToHttp2;
import dev.porchlight.drill.lifecycle.BackupUnderLoad;
import dev.porchlight.drill.lifecycle.ClockJumps;
import dev.porchlight.drill.lifecycle.RestartsBehindProxy;
import dev.porchlight.drill.lifecycle.RollingUpgrade;
import dev.porchlight.drill.limits.ManyBehindOneAddress;
import dev.porchlight.drill.limits.ManyConnections;
import dev.porchlight.drill.limits.ManyRefusedLogins;
import dev.porchlight.drill.limits.OptionsInAnotherName;
import dev.porchlight.drill.limits.UnfinishedRequests;
import dev.porchlight.drill.openid.KillBetweenCodeAndToken;
import dev.porchlight.drill.openid.OneCodeManyTimes;
import dev.porchlight.drill.openid.SignInsWithoutRedis;
import dev.porchlight.drill.pressure.FewDescriptors;
import dev.porchlight.drill.pressure.OutOfMemory;
import dev.porchlight.drill.pressure.SmallHeap;
import dev.porchlight.drill.pressure.SustainedOverload;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.storage.AuditLogReplaced;
import dev.porchlight.drill.storage.BadDatabaseAtStart;
import dev.porchlight.drill.storage.DiskFull;
import dev.porchlight.drill.storage.KeyRotation;
import dev.porchlight.drill.storage.KillWhileRegistering;
import dev.porchlight.drill.storage.OneAssertionManyTimes;
import dev.porchlight.drill.storage.PoolExhausted;
import dev.porchlight.drill.storage.PostgresFailover;
import dev.porchlight.drill.storage.PostgresOutages;
import dev.porchlight.drill.storage.PostgresSlowAndFlaky;
import dev.porchlight.drill.storage.RedisGone;
import dev.porchlight.drill.storage.RemovalWhileSigningIn;
import dev.porchlight.drill.storage.RemovalWhileStorageHangs;
import dev.porchlight.drill.storage.SyncFails;
import dev.porchlight.drill.storage.WrongThenRight;
import java.util.List;

/** The fault table: all scenarios, in its order. */
final class Scenarios {
    static final List<Scenario> ALL = List.of(
            new Scenario(
                    IN_TURN,
                    "R1",
                    "kill -9 at a random moment while 8 users register, 50 times with SQLite and 50 times"
                            + " with PostgreSQL, which is also killed every third time",
                    "every acknowledged passkey logs in afterwards, no user is half registered, the first"
                            + " 200 arrives within 5 s of a restart",
                    List.of(P1, P6),
                    new KillWhileRegistering()::run),
            new Scenario(
                    IN_TURN,
                    "R2",
                    "fsync and fdatasync fail with EIO, injected by strace: all calls, then each thread's"
                            + " k-th call for k from 1 to 8, while users register and log in on SQLite; then kill -9",
                    "nothing is acknowledged while every sync fails, 503 instead; a failed sync fails the"
                            + " requests that waited for it; after the restart every acknowledged passkey logs in",
                    List.of(P1, P3),
                    new SyncFails()::run),
            new Scenario(
                    "R3",
                    "the 20 MB file system of the embedded database is filled while users register and log in",
                    "503 for writes; tokens still work; live 200; ready 503 with the reason; recovery within"
                            + " 10 s after space is freed; no acknowledged passkey missing",
                    List.of(P1, P3, P5),
                    new DiskFull()::run),
            new Scenario(
                    ALONE,
                    "R4",
                    "one assertion sent 64 times concurrently, to two instances on PostgreSQL and to one on"
                            + " SQLite, 500 rounds each",
                    "exactly one succeeds in each round, the others are refused with 401",
                    List.of(P2),
                    new OneAssertionManyTimes()::run),
            new Scenario(
                    "R5",
                    "a login fails verification, then a valid response arrives for the same challenge, 100" + " times",
                    "the valid response is refused each time; the same user signs in with a new challenge",
                    List.of(P2, P3),
                    new WrongThenRight()::run),
            new Scenario(
                    IN_TURN,
                    "R8",
                    "PostgreSQL killed with kill -9, then stopped in immediate mode, at 200 requests per"
                            + " second, down for 10 s each time; killed again behind PgBouncer in transaction pooling"
                            + " mode",
                    "no acknowledged passkey lost; only 503 with Retry-After while it is down, within 2 s;"
                            + " recovery within 10 s without a restart; the pool as large as before",
                    List.of(P1, P3, P4, P5),
                    PostgresOutages::killed),
            new Scenario(
                    IN_TURN,
                    "R9",
                    "all PostgreSQL processes stopped with SIGSTOP for 60 s, at 20 requests per second",
                    "503 with Retry-After within 2 s; live but not ready; threads do not pile up; recovery"
                            + " within 10 s of SIGCONT",
                    List.of(P3, P4, P5),
                    PostgresOutages::hung),
            new Scenario(
                    NEVER, // R9 exercises the same code paths
                    "R10",
                    "all packets between the service and PostgreSQL are dropped for 60 s, and no connection"
                            + " is refused or reset, at 20 requests per second",
                    "503 with Retry-After within 2 s; live but not ready; threads do not pile up; recovery"
                            + " within 10 s",
                    List.of(P3, P4, P5),
                    PostgresOutages::unreachable),
            new Scenario(
                    NEVER,
                    "R11",
                    "PostgreSQL responds after 300 ± 100 ms, at 64 kB/s; every 20th connection is reset, and"
                            + " all connections every 20 s, for 60 s",
                    "every request succeeds or gets a clean 503 within 2 s; no duplicate row, no"
                            + " acknowledged passkey missing",
                    List.of(P1, P3, P4),
                    new PostgresSlowAndFlaky()::run),
            new Scenario(
                    "R12",
                    "PostgreSQL's primary is killed under load and its synchronous standby, second in the URL's list of hosts,"
                            + " is promoted 3 s later",
                    "at most 15 s without a success, no restart, every acknowledged passkey is on the new primary",
                    List.of(P1, P5),
                    new PostgresFailover()::run),
            new Scenario(
                    IN_TURN,
                    "R13",
                    "Redis is killed and hung for 20 s each, then emptied, at 50 logins per second",
                    "every login succeeds within 2 s; sessions and tokens are accepted; live and ready, and a"
                            + " gauge shows the outage; Redis is used again within 10 s",
                    List.of(P4, P5),
                    new RedisGone()::run),
            new Scenario(
                    "R14",
                    "a pool of 2 connections, 32 concurrent logins, and a lock on every table for 10 s",
                    "503 within 2 s while the lock is held, no deadlock, and logins succeed immediately"
                            + " afterwards",
                    List.of(P4, P5),
                    new PoolExhausted()::run),
            new Scenario(
                    ALONE,
                    "R15",
                    "SIGTERM to one of two instances behind HAProxy, alternating, 10 times, at 100 logins"
                            + " per second",
                    "no request fails; logins started at a stopping instance finish at the other",
                    List.of(P6),
                    new RestartsBehindProxy()::run),
            new Scenario(
                    ALONE,
                    "R16",
                    "four instances start concurrently on an empty PostgreSQL; then the schema moves to the"
                            + " next version under load, and instances of the older release are restarted",
                    "all four become ready; no request fails; the older release keeps working and restarts",
                    List.of(P6),
                    new RollingUpgrade()::run),
            new Scenario(
                    NEVER, // takes as long as the timeout for slow clients
                    "R17",
                    "2,000 connections that send headers or bodies at one byte per second, or read no"
                            + " response, while users sign in",
                    "the other users' p99 is below 500 ms; the service closes every slow connection; file"
                            + " descriptors are released",
                    List.of(P4),
                    new SlowClients()::run),
            new Scenario(
                    "R18",
                    "headers of 64 KB, 10,000 headers, a URL of 1 MB, Transfer-Encoding with Content-Length,"
                            + " folded headers, NUL, no Host and others, directly and through HAProxy",
                    "each is refused with 4xx and its connection closed; no hidden second request gets a" + " response",
                    List.of(P8),
                    new MalformedRequests()::run),
            new Scenario(
                    IN_TURN,
                    "R19",
                    "bodies of 1 GB with a length and chunked, a gzip bomb, deeply nested JSON, other"
                            + " content types, 20 times",
                    "each is refused with 413, 415 or 400; the process grows by less than 5 MB",
                    List.of(P4, P8),
                    new HugeBodies()::run),
            new Scenario(
                    NEVER,
                    "R21",
                    "logins at ten times the service's capacity, at a fixed rate, for two minutes",
                    "goodput stays at or above 80 % of capacity; the rest gets 503 with Retry-After, half of"
                            + " it within 50 ms; health responds; full capacity 10 s later",
                    List.of(P4, P5),
                    new SustainedOverload()::run),
            new Scenario(
                    IN_TURN,
                    "R22",
                    "a process limited to 128 file descriptors gets 400 concurrent connections",
                    "it stays alive, logs at most two lines per second, and accepts logins again when they"
                            + " are closed",
                    List.of(P4, P5),
                    new FewDescriptors()::run),
            new Scenario(
                    ALONE,
                    "R23",
                    "64 MB of heap, 16 users who sign in without pause, and 8 clients that send garbage of"
                            + " up to 60 KB, for two minutes",
                    "every login succeeds, all garbage is refused with 4xx, no OutOfMemoryError",
                    List.of(P4, P8),
                    new SmallHeap()::run),
            new Scenario(
                    "R24",
                    "the clock jumps +1 h, -1 h and +10 years while the service runs; tokens are issued 40 s"
                            + " and 90 s in the future",
                    "no login succeeds with an expired challenge; tokens expire on time; tokens from 40 s"
                            + " ahead are accepted and those from 90 s ahead are not; users can sign in throughout",
                    List.of(P9, P3),
                    new ClockJumps()::run),
            new Scenario(
                    NEVER,
                    "R25",
                    "15 minutes of 50 logins per second, and 50 abandoned option requests per second from"
                            + " new addresses; challenges and sessions live one second",
                    "every login succeeds; stored sessions and memory are the same in the last third as in"
                            + " the middle third; no used challenge is kept for more than 12 minutes after it expired",
                    List.of(P4),
                    new Soak()::run),
            new Scenario(
                    NEVER, // a ratio of times is unreliable in tests, which run concurrently
                    "R26",
                    "1,000,000 users with 3,000,000 passkeys compared with 1,000 users with 3,000; a user"
                            + " with 500 passkeys",
                    "a login costs at most 1.3 times as much; the user is offered 20 passkeys and may use any",
                    List.of(P4),
                    new ManyUsers()::run),
            new Scenario(
                    "R27",
                    "a start on a corrupt SQLite file, on tables of a newer release, and with a wrong" + " password",
                    "the process exits within 5 s with a status other than 0, and one line says why and what"
                            + " to do",
                    List.of(P3, P6),
                    new BadDatabaseAtStart()::run),
            new Scenario(
                    NEVER, // instances need up to half a minute to see the new key
                    "R28",
                    "keys rotate, run while users log in at two instances on PostgreSQL",
                    "no error; both instances sign with the new key within a minute, publish both keys, and"
                            + " accept tokens of both",
                    List.of(P6),
                    new KeyRotation()::run),
            new Scenario(
                    "R29",
                    "a backup while users register and sign in, restored elsewhere, 5 times",
                    "the backup passes its checks; all users registered before it started can sign in at the"
                            + " restored service; the running service refuses no user",
                    List.of(P1, P6),
                    new BackupUnderLoad()::run),
            new Scenario(
                    IN_TURN,
                    "R30",
                    "10,000 requests for login options in one user's name, within five minutes, from 100"
                            + " addresses, with a login of that user started before and another during it, at the"
                            + " default limit",
                    "both logins succeed; the user is never limited; no row is kept for these requests",
                    List.of(P11),
                    new OptionsInAnotherName()::run),
            new Scenario(
                    ALONE,
                    "R31",
                    "one address opens 9,000 connections, idle, with unfinished headers and with unread responses, while others"
                            + " sign in; 128 MB of heap",
                    "the other users' p99 is below 500 ms, the management port responds throughout, the"
                            + " address gets only its share of connections",
                    List.of(P4, P11),
                    new ManyConnections()::run),
            new Scenario(
                    ALONE,
                    "R32",
                    "128 MB of heap; one address sends 7,500 unfinished headers of 8 KB and 510 unfinished bodies of 64 KB while"
                            + " others sign in",
                    "no OutOfMemoryError; every login succeeds; the memory is released afterwards",
                    List.of(P4, P11),
                    new UnfinishedRequests()::run),
            new Scenario(
                    IN_TURN,
                    "R33",
                    "an OutOfMemoryError in a thread of the service that catches it and continues",
                    "the process exits within 5 s with a status other than 0, and the supervisor"
                            + " configurations restart it",
                    List.of(P4),
                    new OutOfMemory()::run),
            new Scenario(
                    ALONE,
                    "R34",
                    "a passkey is removed while four clients sign in with it without pause: one instance on SQLite and two"
                            + " on PostgreSQL, 200 rounds each",
                    "no session or token of the removed passkey is accepted afterwards, and no login started afterwards succeeds",
                    List.of(P3),
                    new RemovalWhileSigningIn()::run),
            new Scenario(
                    IN_TURN,
                    "R35",
                    "PostgreSQL, then Redis, is stopped with SIGSTOP up to 40 ms before a passkey is"
                            + " removed, 10 times each; then the same for locks and for signing out everywhere",
                    "without PostgreSQL each completes fully or is refused, within 2 s, and a retry completes it;"
                            + " without Redis each completes; one audit row each; the revoked tokens and sessions"
                            + " are never accepted afterwards",
                    List.of(P3, P4, P5),
                    new RemovalWhileStorageHangs()::run),
            new Scenario(
                    "R36",
                    "an upgrade to cleartext HTTP/2, and HTTP/2 with prior knowledge, with a hidden request"
                            + " to an operators' path; directly, and through HAProxy and nginx, which block that path"
                            + " and forward upgrades",
                    "no 101; no path rule or address check is bypassed",
                    List.of(P3),
                    new UpgradeToHttp2()::run),
            new Scenario(
                    "R37",
                    "the audit tables are wiped, and then replaced by an older copy, while the service is stopped",
                    "`audit verify` and readiness report it when the service starts",
                    List.of(P3),
                    new AuditLogReplaced()::run),
            new Scenario(
                    "R38",
                    "100,000 refused logins with new user ids; then, three days later, a retention of one day",
                    "the audit log grows by at most 21 rows per minute and counts all refusals; successful"
                            + " logins have separate rows; retention removes old rows, and the log verifies",
                    List.of(P4, P11),
                    new ManyRefusedLogins()::run),
            new Scenario(
                    IN_TURN,
                    "R39",
                    "200 users behind one address sign in within two minutes, without keep-alive, each with"
                            + " the other requests of the pages, at the default limit",
                    "no request is limited",
                    List.of(P11),
                    new ManyBehindOneAddress()::run),
            new Scenario(
                    ALONE,
                    "R40",
                    "one OpenID Connect code, then one refresh token, sent 64 times concurrently, to two instances on"
                            + " PostgreSQL and one on SQLite, 100 rounds each",
                    "exactly one succeeds in each round, the others are refused with invalid_grant, and the replays revoke the"
                            + " tokens of the one",
                    List.of(P2),
                    new OneCodeManyTimes()::run),
            new Scenario(
                    IN_TURN,
                    "R41",
                    "kill -9 at a random moment while 8 clients sign a user in to an application and redeem the codes, 10 times"
                            + " with SQLite and 10 times with PostgreSQL",
                    "acknowledged access and refresh tokens work after the restart, and no code is redeemed twice",
                    List.of(P1, P2, P6),
                    new KillBetweenCodeAndToken()::run),
            new Scenario(
                    IN_TURN,
                    "R42",
                    "Redis is killed and hung between the steps of sign-ins to an application, 5 times each, and then emptied",
                    "sign-ins continue: new codes, open codes and refresh tokens work, once each; all steps take"
                            + " at most 2 s",
                    List.of(P2, P4),
                    new SignInsWithoutRedis()::run));

    private Scenarios() {}
}
