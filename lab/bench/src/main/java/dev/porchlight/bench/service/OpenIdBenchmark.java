// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.bench.report.Benchmark;
import dev.porchlight.bench.report.Measurements;
import dev.porchlight.bench.report.Section;
import dev.porchlight.bench.service.OpenIdLoad.Operation;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** OpenID Connect over HTTP, beside Spring Authorization Server and Keycloak. All run, and one at a time is under load. */
public final class OpenIdBenchmark implements Benchmark {
    private static final String FIGURES =
            "database | operation | contestant | per second | spread | ours does | CPU each | our CPU | failed";

    private final Peers peers = new Peers(System.out);

    @Override
    public String name() {
        return "openid";
    }

    /** The measurements of one provider and operation. */
    private record Figures(String label, Measurements perSecond, Measurements cpu, Measurements failed) {
        Figures(String label) {
            this(label, new Measurements(), new Measurements(), new Measurements());
        }
    }

    @Override
    public Section run(int rounds) throws Exception {
        List<OpenIdProvider> providers = new ArrayList<>();
        peers.built("spring-openid").forEach(home -> providers.add(new SpringOpenIdPeer(home, Jdk.OURS)));
        peers.built("keycloak").forEach(home -> providers.add(new KeycloakPeer(home, Jdk.OURS)));
        providers.add(new OpenIdPorchlight());
        Section section = new Section(
                name(), "OpenID Connect over HTTP, real signatures, " + OpenIdLoad.CONNECTIONS + " connections");
        section.columns(3, FIGURES);
        measure(Storage.sqlite(), providers, rounds, section);
        try (PostgresServer server = PostgresServer.startDurable()) {
            Storage postgres = Storage.postgres(server);
            section.columns(3, FIGURES);
            List<OpenIdLoad> loads = measure(postgres, providers, rounds, section);
            section.columns(2, "database | contestant | start to the first 200, with tables | spread | ours takes");
            List<OpenIdProvider> started =
                    loads.stream().map(OpenIdLoad::provider).toList();
            StartBenchmark.measure(section, postgres.label(), postgres, started, rounds);
        } catch (MissingProgramException e) {
            peers.leaveOut("PostgreSQL", e);
        }
        return peers.remark(section)
                .remark("Each signs ID tokens with RS256, its default; we sign access tokens with ES256, the others"
                        + " with RS256. CPU is the provider's process, memory is resident after the load. A"
                        + " refresh and a code yield an access token and an ID token.")
                .goal("3 times the peer's operations", rounds);
    }

    private List<OpenIdLoad> measure(Storage storage, List<OpenIdProvider> providers, int rounds, Section section)
            throws IOException, InterruptedException {
        try (Launcher launcher = new Launcher()) {
            List<OpenIdLoad> loads = new ArrayList<>();
            for (OpenIdProvider provider : providers) {
                if (!provider.runsOn(storage)) {
                    continue;
                }
                try {
                    loads.add(new OpenIdLoad(provider, launcher.start(provider, storage)));
                } catch (IOException | UncheckedIOException e) {
                    if (provider instanceof OpenIdPorchlight) {
                        throw e;
                    }
                    peers.leaveOut(provider.label() + " on " + storage.label(), e);
                }
            }
            Map<Operation, List<Figures>> figures = new EnumMap<>(Operation.class);
            for (Operation operation : Operation.values()) {
                for (OpenIdLoad load : measuring(operation, loads)) {
                    load.warmUp(operation);
                    figures.computeIfAbsent(operation, key -> new ArrayList<>()).add(new Figures(load.label()));
                }
            }
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<Operation, List<Figures>> entry : figures.entrySet()) {
                    List<OpenIdLoad> measured = measuring(entry.getKey(), loads);
                    for (int i = 0; i < measured.size(); i++) {
                        Load.Throughput throughput = measured.get(i).run(entry.getKey(), Load.SLICE);
                        Figures one = entry.getValue().get(i);
                        one.perSecond.add(throughput.perSecond());
                        one.cpu.add(throughput.cpuMicros());
                        one.failed.add(throughput.errors());
                    }
                }
            }
            figures.forEach((operation, list) -> write(section, storage, operation, list));
            section.columns(2, "database | contestant | memory");
            for (OpenIdLoad load : loads) {
                section.row(storage.label(), load.label(), String.format(Locale.ROOT, "%,.0f MB", load.megabytes()));
            }
            return loads;
        }
    }

    /** The whole sign-in has no counterpart: the peer's users have passwords. */
    private static List<OpenIdLoad> measuring(Operation operation, List<OpenIdLoad> loads) {
        return operation == Operation.SIGN_IN ? loads.subList(loads.size() - 1, loads.size()) : loads;
    }

    private static void write(Section section, Storage storage, Operation operation, List<Figures> figures) {
        Figures ours = figures.get(figures.size() - 1);
        for (Figures one : figures) {
            section.row(
                    storage.label(),
                    operation.label(),
                    one.label,
                    one.perSecond.shown("%,.0f"),
                    one.perSecond.spread("%,.0f"),
                    one.equals(ours)
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "%.2f times as many",
                                    ours.perSecond.median() / one.perSecond.median()),
                    one.cpu.shown("%,.0f µs"),
                    one.cpu.share(ours.cpu),
                    one.failed.total());
        }
    }
}
