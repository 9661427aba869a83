// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static dev.porchlight.drill.scenario.Promise.*;
import static dev.porchlight.drill.scenario.Scenario.InTests.ALONE;
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
import dev.porchlight.drill.pressure.FewDescriptors;
import dev.porchlight.drill.pressure.OutOfMemory;
import dev.porchlight.drill.pressure.Overload;
import dev.porchlight.drill.pressure.SmallHeap;
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
                    "R1",
                    "kill -9 at a random moment while 8 register, 50 times with SQLite and 50 times with PostgreSQL, which is"
                            + " killed too every third time",
                    "every acknowledged passkey logs in afterwards, nobody is half registered, the first 200 comes within 5 s"
                            + " of a restart",
                    List.of(P1, P6),
                    new KillWhileRegistering()::run),
            new Scenario(
                    "R2",
                    "fsync and fdatasync fail with EIO, by strace: all of them, then each thread's k-th for k from 1 to 8, while"
                            + " people register and log in on SQLite; then kill -9",
                    "nothing is acknowledged while every sync fails, 503 instead; a failed sync fails what waited for it; after the"
                            + " restart every acknowledged passkey logs in",
                    List.of(P1, P3),
                    new SyncFails()::run),
            new Scenario(
                    "R3",
                    "the 20 MB file system of the embedded database is filled while people register and log in",
                    "503 for what must be written; tokens still work, live 200, ready 503 and says why; healed within 10 s after"
                            + " there is space; no acknowledged passkey missing",
                    List.of(P1, P3, P5),
                    new DiskFull()::run),
            new Scenario(
                    ALONE,
                    "R4",
                    "one assertion sent 64 times at once, to two instances on PostgreSQL, to two on PostgreSQL and Redis, to"
                            + " one on SQLite, 500 rounds each",
                    "exactly one succeeds each round, the others are refused with 401",
                    List.of(P2),
                    new OneAssertionManyTimes()::run),
            new Scenario(
                    "R5",
                    "a login fails its verification, then the right answer comes with the same challenge, 100 times",
                    "the second is refused each time; a new challenge lets the same person in",
                    List.of(P2, P3),
                    new WrongThenRight()::run),
            new Scenario(
                    "R8",
                    "PostgreSQL killed with -9, then stopped at once, under 200 requests a second, away for 10 s each time; killed once"
                            + " more behind PgBouncer in transaction pooling mode",
                    "no acknowledged passkey lost; only 503 with Retry-After meanwhile, within 2 s; healed within 10 s without a"
                            + " restart; the pool as large as before",
                    List.of(P1, P3, P4, P5),
                    PostgresOutages::killed),
            new Scenario(
                    "R9",
                    "all processes of PostgreSQL stopped with SIGSTOP for 60 s, under 20 requests a second",
                    "503 with Retry-After within 2 s, live but not ready, threads do not pile up; healed within 10 s of SIGCONT",
                    List.of(P3, P4, P5),
                    PostgresOutages::hung),
            new Scenario(
                    NEVER, // R9 takes the same ways through the service
                    "R10",
                    "nothing passes between the service and PostgreSQL for 60 s, and no connection is refused or reset, under 20"
                            + " requests a second",
                    "503 with Retry-After within 2 s, live but not ready, threads do not pile up; healed within 10 s",
                    List.of(P3, P4, P5),
                    PostgresOutages::unreachable),
            new Scenario(
                    NEVER,
                    "R11",
                    "PostgreSQL answers after 300 ± 100 ms, at 64 kB/s, every 20th connection is reset, and all are reset every"
                            + " 20 s, for 60 s",
                    "every request succeeds or gets a clean 503 within 2 s; no row twice, no acknowledged passkey missing",
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
                    "R13",
                    "Redis is killed, hung for 20 s each, and emptied, under 50 requests a second",
                    "503 with Retry-After within 2 s, live but not ready, and a gauge says so; tokens are still taken; healed within"
                            + " 10 s; an emptied Redis ends sessions, and no more",
                    List.of(P3, P4, P5),
                    new RedisGone()::run),
            new Scenario(
                    "R14",
                    "a pool of 2 connections, 32 who log in, and a lock on every table for 10 s",
                    "503 within 2 s while the lock is held, no deadlock, and logins again right after it",
                    List.of(P4, P5),
                    new PoolExhausted()::run),
            new Scenario(
                    ALONE,
                    "R15",
                    "SIGTERM to one of two instances behind HAProxy, 10 times in turn, with 100 logins a second",
                    "no request fails; logins begun at an instance that then ends are finished at the other",
                    List.of(P6),
                    new RestartsBehindProxy()::run),
            new Scenario(
                    ALONE,
                    "R16",
                    "four instances start at once on an empty PostgreSQL; then the tables move to the next version under load, and"
                            + " instances that do not know it are restarted",
                    "all four become ready; no request fails; the older release works on and starts again",
                    List.of(P6),
                    new RollingUpgrade()::run),
            new Scenario(
                    NEVER, // It takes as long as the slowest clients are borne with.
                    "R17",
                    "2,000 connections that send their headers or bodies a byte a second, or read no answer, while people sign in",
                    "the others' p99 is below 500 ms; every slow connection is closed by the service; descriptors go back",
                    List.of(P4),
                    new SlowClients()::run),
            new Scenario(
                    "R18",
                    "headers of 64 KB, 10,000 headers, a URL of 1 MB, Transfer-Encoding beside Content-Length, folded headers, NUL,"
                            + " no Host, and the like, directly and through HAProxy",
                    "each is refused with 4xx and its connection closed; no hidden second request is answered",
                    List.of(P8),
                    new MalformedRequests()::run),
            new Scenario(
                    "R19",
                    "bodies of 1 GB with a length and in chunks, a gzip bomb, deep JSON, other content types, 20 times",
                    "each is refused with 413, 415 or 400; the process grows by less than 5 MB",
                    List.of(P4, P8),
                    new HugeBodies()::run),
            new Scenario(
                    NEVER,
                    "R21",
                    "ten times the logins that the service can do are begun, at a fixed rate, for two minutes",
                    "goodput stays at 80 % of the most there can be, or more; the rest is answered 503 with Retry-After, half of it"
                            + " within 50 ms; health answers; 10 s later all is as before",
                    List.of(P4, P5),
                    new Overload()::run),
            new Scenario(
                    "R22",
                    "a process of at most 128 file descriptors gets 400 connections at once",
                    "it stays alive, logs no more than two lines a second, and lets people in again when they are gone",
                    List.of(P4, P5),
                    new FewDescriptors()::run),
            new Scenario(
                    ALONE,
                    "R23",
                    "64 MB of heap, 16 people who sign in without pause, and 8 who send garbage of up to 60 KB, for two minutes",
                    "every login passes, every piece of garbage is refused with 4xx, no memory runs out",
                    List.of(P4, P8),
                    new SmallHeap()::run),
            new Scenario(
                    "R24",
                    "the clock jumps +1 h, -1 h and +10 years while the service runs; tokens are made 40 s and 90 s ahead of it",
                    "no login passes with a challenge that has expired; tokens end with their lifetime; those from 40 s ahead are"
                            + " taken and those from 90 s ahead are not; people sign in throughout",
                    List.of(P9, P3),
                    new ClockJumps()::run),
            new Scenario(
                    NEVER,
                    "R25",
                    "a quarter of an hour of 50 logins a second, and 50 strangers a second who ask from ever new addresses and"
                            + " never answer; challenges and sessions live a second",
                    "every login passes; stored sessions and memory are the same in the last third as in the middle one; no used"
                            + " challenge is kept for longer than 12 minutes after it expired",
                    List.of(P4),
                    new Soak()::run),
            new Scenario(
                    NEVER, // A ratio of times is nothing for tests, which run beside others.
                    "R26",
                    "1,000,000 users with 3,000,000 passkeys against 1,000 with 3,000; a user with 500 passkeys",
                    "a login costs at most 1.3 times as much; the user is offered 20 passkeys and may use any",
                    List.of(P4),
                    new ManyUsers()::run),
            new Scenario(
                    "R27",
                    "a start on a corrupt SQLite file, on tables of a newer release, with a wrong password",
                    "the process ends within 5 s, not with 0, and one line says why and what to do",
                    List.of(P3, P6),
                    new BadDatabaseAtStart()::run),
            new Scenario(
                    NEVER, // instances take up to half a minute to see the new key
                    "R28",
                    "keys rotate, run while people log in at two instances on PostgreSQL",
                    "no error; both instances sign with the new key within a minute, show both keys, and take tokens of both",
                    List.of(P6),
                    new KeyRotation()::run),
            new Scenario(
                    "R29",
                    "a backup while people register and sign in, restored elsewhere, 5 times",
                    "the backup passes its checks; all who had registered before it began sign in at the restored service; nobody"
                            + " at the running one is refused",
                    List.of(P1, P6),
                    new BackupUnderLoad()::run),
            new Scenario(
                    "R30",
                    "10,000 requests for login options in one user's name, within five minutes, from 100 addresses, beside a"
                            + " login of that user begun before and one begun meanwhile, at the default limit",
                    "both logins succeed; the user is never limited; no row is kept for the strangers",
                    List.of(P11),
                    new OptionsInAnotherName()::run),
            new Scenario(
                    ALONE,
                    "R31",
                    "one address opens 9,000 connections, idle, with unfinished headers and with unread responses, while others"
                            + " sign in; 128 MB of heap",
                    "the others' p99 is below 500 ms, the management port answers throughout, the address gets its share of"
                            + " connections and no more",
                    List.of(P4, P11),
                    new ManyConnections()::run),
            new Scenario(
                    ALONE,
                    "R32",
                    "128 MB of heap; one address sends 7,500 unfinished headers of 8 KB and 510 unfinished bodies of 64 KB while"
                            + " others sign in",
                    "no OutOfMemoryError; every login succeeds; the memory is free again afterwards",
                    List.of(P4, P11),
                    new UnfinishedRequests()::run),
            new Scenario(
                    "R33",
                    "an OutOfMemoryError in a thread of the service that catches it and goes on",
                    "the process ends within 5 s with a status other than 0, and the supervisor files start it again",
                    List.of(P4),
                    new OutOfMemory()::run),
            new Scenario(
                    ALONE,
                    "R34",
                    "a passkey is removed while four clients sign in with it without pause: one instance on SQLite, two on"
                            + " PostgreSQL, two on PostgreSQL and Redis, 200 rounds each",
                    "no session or token of the removed passkey is accepted afterwards, and no login begun afterwards succeeds",
                    List.of(P3),
                    new RemovalWhileSigningIn()::run),
            new Scenario(
                    "R35",
                    "PostgreSQL, then Redis, is stopped with SIGSTOP up to 40 ms before a passkey is removed, 10 times each; then the"
                            + " same for locks and sign-outs everywhere",
                    "each is done as a whole or refused as a whole, within 2 s; a retry completes it; one audit row each; the"
                            + " tokens and sessions that it ends are not accepted at any time afterwards",
                    List.of(P3, P4, P5),
                    new RemovalWhileStorageHangs()::run),
            new Scenario(
                    "R36",
                    "an upgrade to cleartext HTTP/2, and HTTP/2 by prior knowledge, with a request for operators in it; directly,"
                            + " through HAProxy and through nginx, which keep clients from that path and forward upgrades",
                    "no 101; no path rule or address check is bypassed",
                    List.of(P3),
                    new UpgradeToHttp2()::run),
            new Scenario(
                    "R37",
                    "the audit tables are wiped, and then replaced by an older copy, while the service is stopped",
                    "`audit verify` reports it, and so does readiness when the service starts",
                    List.of(P3),
                    new AuditLogReplaced()::run),
            new Scenario(
                    "R38",
                    "100,000 refused logins with ever new user ids; then, three days later, a retention of one day",
                    "the audit log grows by at most 21 rows a minute and has the number of all; logins are in it by themselves;"
                            + " retention removes old rows, and the log verifies",
                    List.of(P4, P11),
                    new ManyRefusedLogins()::run),
            new Scenario(
                    "R39",
                    "200 people behind one address sign in within two minutes, without keep-alive, each with what the pages"
                            + " request beside it, at the default limit",
                    "nobody is limited",
                    List.of(P11),
                    new ManyBehindOneAddress()::run));

    private Scenarios() {}
}
