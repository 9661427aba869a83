// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/** A service with a heap of 64 MB, for rows on memory. */
public record SmallHeapService(Restartable service) {
    /** The service of this test bed. */
    public static Restartable on(TestBed bed) throws Exception {
        return bed.inTurn(SmallHeapService.class, SmallHeapService::start).service;
    }

    private static SmallHeapService start(TestBed bed) throws Exception {
        return new SmallHeapService(
                new Restartable(bed, bed.service().jvm("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch")));
    }
}
