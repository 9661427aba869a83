// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events, links and status of a span, created when the first is set, because few spans have any. Not thread-safe. */
final class SpanDetails {
    private final TraceSettings.Limits limits;
    final List<Event> events = new ArrayList<>(1);
    final List<Link> links = new ArrayList<>(0);
    SpanStatus status = SpanStatus.UNSET;

    @Nullable
    String description;

    int droppedEvents;
    int droppedLinks;

    SpanDetails(TraceSettings.Limits limits) {
        this.limits = limits;
    }

    record Event(String name, long epochNanos, AttributeSet attributes) {}

    record Link(SpanContext context, AttributeSet attributes) {}

    void event(String name, long epochNanos, Attributes attributes) {
        if (events.size() >= limits.events()) {
            droppedEvents++;
            return;
        }
        events.add(new Event(
                name == null ? Span.UNNAMED : name,
                epochNanos,
                AttributeSet.of(attributes, limits.eventAttributes(), limits.valueLength())));
    }

    void link(SpanContext context, Attributes attributes) {
        if (links.size() >= limits.links()) {
            droppedLinks++;
            return;
        }
        links.add(new Link(context, AttributeSet.of(attributes, limits.linkAttributes(), limits.valueLength())));
    }

    /** Sets the status. OK is final; only an error has a description. */
    void status(SpanStatus newStatus, @Nullable String newDescription) {
        if (status == SpanStatus.OK || newStatus == SpanStatus.UNSET) {
            return;
        }
        status = newStatus;
        boolean described = newStatus == SpanStatus.ERROR && newDescription != null && !newDescription.isEmpty();
        description = described ? newDescription : null;
    }
}
