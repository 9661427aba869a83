// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

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
import dev.porchlight.drill.storage.PostgresBlackHole;
import dev.porchlight.drill.storage.PostgresFailover;
import dev.porchlight.drill.storage.PostgresHung;
import dev.porchlight.drill.storage.PostgresKilled;
import dev.porchlight.drill.storage.PostgresSlowAndFlaky;
import dev.porchlight.drill.storage.RedisGone;
import dev.porchlight.drill.storage.RemovalWhileSigningIn;
import dev.porchlight.drill.storage.RemovalWhileStorageHangs;
import dev.porchlight.drill.storage.SyncFails;
import dev.porchlight.drill.storage.WrongThenRight;
import java.util.List;

/** All scenarios, in the order of the table. */
final class Scenarios {
    static final List<Scenario> ALL = List.of(
            new KillWhileRegistering(),
            new SyncFails(),
            new DiskFull(),
            new OneAssertionManyTimes(),
            new WrongThenRight(),
            new PostgresKilled(),
            new PostgresHung(),
            new PostgresBlackHole(),
            new PostgresSlowAndFlaky(),
            new PostgresFailover(),
            new RedisGone(),
            new PoolExhausted(),
            new RestartsBehindProxy(),
            new RollingUpgrade(),
            new SlowClients(),
            new MalformedRequests(),
            new HugeBodies(),
            new Overload(),
            new FewDescriptors(),
            new SmallHeap(),
            new ClockJumps(),
            new Soak(),
            new ManyUsers(),
            new BadDatabaseAtStart(),
            new KeyRotation(),
            new BackupUnderLoad(),
            new OptionsInAnotherName(),
            new ManyConnections(),
            new UnfinishedRequests(),
            new OutOfMemory(),
            new RemovalWhileSigningIn(),
            new RemovalWhileStorageHangs(),
            new UpgradeToHttp2(),
            new AuditLogReplaced(),
            new ManyRefusedLogins(),
            new ManyBehindOneAddress());

    private Scenarios() {}
}
