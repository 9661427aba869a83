// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import static dev.porchlight.drill.scenario.Scenario.InTests.ALONE;
import static dev.porchlight.drill.scenario.Scenario.InTests.CONCURRENT;
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
import dev.porchlight.drill.lifecycle.SupportCodes;
import dev.porchlight.drill.limits.HeldConnections;
import dev.porchlight.drill.limits.ManyBehindOneAddress;
import dev.porchlight.drill.limits.ManyRefusedLogins;
import dev.porchlight.drill.limits.OptionsInAnotherName;
import dev.porchlight.drill.metadata.MetadataFaults;
import dev.porchlight.drill.openid.KillBetweenCodeAndToken;
import dev.porchlight.drill.openid.LostRefreshAndCachedKeys;
import dev.porchlight.drill.openid.OneCodeManyTimes;
import dev.porchlight.drill.openid.SignInsWithoutRedis;
import dev.porchlight.drill.openid.SkewedReplays;
import dev.porchlight.drill.openid.StrangersWithCodes;
import dev.porchlight.drill.outbox.MailOutages;
import dev.porchlight.drill.outbox.WebhookOutages;
import dev.porchlight.drill.pressure.FewDescriptors;
import dev.porchlight.drill.pressure.OutOfMemory;
import dev.porchlight.drill.pressure.SmallHeap;
import dev.porchlight.drill.pressure.SustainedOverload;
import dev.porchlight.drill.pressure.UnreadOutput;
import dev.porchlight.drill.scenario.Scenario;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.drill.storage.AuditLogReplaced;
import dev.porchlight.drill.storage.BadDatabaseAtStart;
import dev.porchlight.drill.storage.BrokenCommits;
import dev.porchlight.drill.storage.DiskFull;
import dev.porchlight.drill.storage.ErasureBesideOthers;
import dev.porchlight.drill.storage.ImportAgain;
import dev.porchlight.drill.storage.KeyRotation;
import dev.porchlight.drill.storage.KillWhileRegistering;
import dev.porchlight.drill.storage.PostgresOutages;
import dev.porchlight.drill.storage.RedisGone;
import dev.porchlight.drill.storage.RemovalWhileSigningIn;
import dev.porchlight.drill.storage.RemovalWhileStorageHangs;
import dev.porchlight.drill.storage.SyncFails;
import dev.porchlight.drill.storage.UsedChallenges;
import java.util.List;

/** The scenarios of the fault table, in its order. The report describes their faults and what is expected. */
final class Scenarios {
    static final List<Scenario> ALL = List.of(
            new Scenario("R1", IN_TURN, new KillWhileRegistering()::run),
            new Scenario("R2", IN_TURN, new SyncFails()::run),
            new Scenario("R3", CONCURRENT, new DiskFull()::run),
            new Scenario("R4", ALONE, UsedChallenges::manyTimes),
            new Scenario("R5", CONCURRENT, UsedChallenges::afterInvalid),
            new Scenario("R8", IN_TURN, PostgresOutages::killed),
            new Scenario("R9", IN_TURN, PostgresOutages::hung),
            new Scenario("R10", NEVER, PostgresOutages::unreachable), // R9 exercises the same code paths
            new Scenario("R11", NEVER, PostgresOutages::slowAndFlaky),
            new Scenario("R12", CONCURRENT, PostgresOutages::failover),
            new Scenario("R13", IN_TURN, new RedisGone()::run),
            new Scenario("R14", CONCURRENT, PostgresOutages::poolExhausted),
            new Scenario("R15", ALONE, new RestartsBehindProxy()::run),
            new Scenario("R16", ALONE, new RollingUpgrade()::run),
            new Scenario("R17", NEVER, new SlowClients()::run), // takes as long as the timeout for slow clients
            new Scenario("R18", CONCURRENT, new MalformedRequests()::run),
            new Scenario("R19", IN_TURN, new HugeBodies()::run),
            new Scenario("R21", NEVER, new SustainedOverload()::run),
            new Scenario("R22", IN_TURN, new FewDescriptors()::run),
            new Scenario("R23", ALONE, new SmallHeap()::run),
            new Scenario("R24", CONCURRENT, new ClockJumps()::run),
            new Scenario("R25", NEVER, new Soak()::run),
            new Scenario(
                    "R26",
                    NEVER,
                    new ManyUsers()::run), // a ratio of times is unreliable in tests, which run concurrently
            new Scenario("R27", CONCURRENT, new BadDatabaseAtStart()::run),
            new Scenario("R28", CONCURRENT, new KeyRotation()::run),
            new Scenario("R29", CONCURRENT, new BackupUnderLoad()::run),
            new Scenario("R30", IN_TURN, new OptionsInAnotherName()::run),
            new Scenario("R31", ALONE, HeldConnections::connections),
            new Scenario("R32", ALONE, HeldConnections::requests),
            new Scenario("R33", IN_TURN, new OutOfMemory()::run),
            new Scenario("R34", ALONE, new RemovalWhileSigningIn()::run),
            new Scenario("R35", IN_TURN, new RemovalWhileStorageHangs()::run),
            new Scenario("R36", CONCURRENT, new UpgradeToHttp2()::run),
            new Scenario("R37", CONCURRENT, new AuditLogReplaced()::run),
            new Scenario("R38", CONCURRENT, new ManyRefusedLogins()::run),
            new Scenario("R39", IN_TURN, new ManyBehindOneAddress()::run),
            new Scenario("R40", ALONE, new OneCodeManyTimes()::run),
            new Scenario("R41", IN_TURN, new KillBetweenCodeAndToken()::run),
            new Scenario("R42", IN_TURN, new SignInsWithoutRedis()::run),
            new Scenario("R43", CONCURRENT, new UnreadOutput()::run),
            new Scenario("R44", CONCURRENT, new ImportAgain()::run),
            new Scenario("R45", CONCURRENT, new StrangersWithCodes()::run),
            new Scenario("R46", IN_TURN, new ErasureBesideOthers()::run),
            new Scenario("R47", CONCURRENT, SkewedReplays::run),
            new Scenario("R48", NEVER, Scenarios::outbox), // messages of a killed process are repeated after minutes
            new Scenario("R49", CONCURRENT, MetadataFaults::run),
            new Scenario("R50", CONCURRENT, new SupportCodes()::run),
            new Scenario("R51", CONCURRENT, new BrokenCommits()::run),
            new Scenario("R52", CONCURRENT, new LostRefreshAndCachedKeys()::run));

    private Scenarios() {}

    private static void outbox(TestBed bed) throws Exception {
        bed.note("webhooks");
        new WebhookOutages().run(bed);
        bed.note("mail");
        new MailOutages().run(bed);
    }
}
