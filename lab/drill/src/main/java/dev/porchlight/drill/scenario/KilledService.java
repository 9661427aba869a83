// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/** A service with an embedded database, which rows kill and start again. */
public record KilledService(Restartable service) {
    /** The service of this test bed. */
    public static Restartable on(TestBed bed) throws Exception {
        return bed.inTurn(KilledService.class, KilledService::start).service;
    }

    private static KilledService start(TestBed bed) throws Exception {
        return new KilledService(new Restartable(bed, bed.service()));
    }
}
