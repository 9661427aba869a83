// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.Units;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds, changes and removes the endpoints of webhooks, each with its audit row. Thread-safe. */
public final class WebhookAdministration {
    private static final int KEY_BYTES = 32;

    private final Units units;
    private final Webhooks webhooks;
    private final Outbox outbox;
    private final SecureRandom random = new SecureRandom();

    public WebhookAdministration(Units units, Webhooks webhooks, Outbox outbox) {
        this.units = units;
        this.webhooks = webhooks;
        this.outbox = outbox;
    }

    /**
     * What to change; null leaves it as it is.
     *
     * @param events the filter
     */
    public record Change(
            @Nullable String url,
            @Nullable List<String> events,
            @Nullable Boolean enabled) {
        /** What is wrong, a sentence each; empty if nothing is. */
        public List<String> problems() {
            List<String> problems = new ArrayList<>();
            if (url != null) {
                OutboundRequests.problem(url).ifPresent(problem -> problems.add("The URL " + problem + '.'));
            }
            if (events != null) {
                events.stream()
                        .filter(event -> !EventType.isPattern(event))
                        .forEach(event -> problems.add("There is no event '" + event + "'."));
                if (events.isEmpty()) {
                    problems.add("At least one event is needed, or * for all.");
                }
            }
            return problems;
        }

        private void require() {
            if (!problems().isEmpty()) {
                throw new IllegalArgumentException(String.join(" ", problems()));
            }
        }
    }

    /** Adds an endpoint, which receives events from now on; empty if there are too many. */
    public Optional<Webhook> add(Change settings, Actor by) {
        settings.require();
        var webhook = new Webhook(
                outbox.newId("wh_"),
                Objects.requireNonNull(settings.url()),
                Objects.requireNonNullElse(settings.events(), List.of(EventType.ALL)),
                true,
                outbox.now(),
                Webhook.Secrets.of(newKey()));
        return units.commit(
                "add a webhook",
                by,
                Target.NONE,
                connection -> {
                    if (webhooks.all(connection).size() >= Webhooks.MAX) {
                        return Optional.<Webhook>empty();
                    }
                    webhooks.put(connection, webhook);
                    EventCursors.start(connection, webhook.id());
                    return Optional.of(webhook);
                },
                added -> added.isEmpty() ? null : event(AuditAction.WEBHOOK_ADDED, webhook.id(), List.of()));
    }

    /** Changes an endpoint; empty if there is none. One that is enabled again receives events from now on. */
    public Optional<Webhook> change(String id, Change change, Actor by) {
        change.require();
        List<String> changed = new ArrayList<>();
        return units.commit(
                "change a webhook",
                by,
                Target.NONE,
                connection -> {
                    changed.clear();
                    Webhook before = webhooks.hold(connection, id);
                    if (before == null) {
                        return Optional.<Webhook>empty();
                    }
                    var after = new Webhook(
                            id,
                            Objects.requireNonNullElse(change.url(), before.url()),
                            Objects.requireNonNullElse(change.events(), before.events()),
                            Objects.requireNonNullElse(change.enabled(), before.enabled()),
                            before.createdAt(),
                            before.secrets());
                    changed.addAll(difference(before, after));
                    webhooks.put(connection, after);
                    if (after.enabled() && !before.enabled()) {
                        EventCursors.start(connection, id);
                    } else if (!after.enabled()) {
                        EventCursors.remove(connection, id);
                    }
                    return Optional.of(after);
                },
                after -> changed.isEmpty() ? null : event(AuditAction.WEBHOOK_CHANGED, id, changed));
    }

    private static List<String> difference(Webhook before, Webhook after) {
        List<String> names = new ArrayList<>();
        if (!before.url().equals(after.url())) {
            names.add("url");
        }
        if (!before.events().equals(after.events())) {
            names.add("events");
        }
        if (before.enabled() != after.enabled()) {
            names.add("enabled");
        }
        return names;
    }

    /** Replaces the secret of an endpoint, whose messages are signed with both for a day; empty if there is none. */
    public Optional<Webhook> rotate(String id, Actor by) {
        byte[] key = newKey();
        return units.commit(
                "replace a webhook secret",
                by,
                Target.NONE,
                connection -> {
                    Webhook before = webhooks.hold(connection, id);
                    if (before == null) {
                        return Optional.<Webhook>empty();
                    }
                    var after = new Webhook(
                            id,
                            before.url(),
                            before.events(),
                            before.enabled(),
                            before.createdAt(),
                            before.secrets().rotated(key, outbox.now()));
                    webhooks.put(connection, after);
                    return Optional.of(after);
                },
                after -> after.isEmpty() ? null : event(AuditAction.WEBHOOK_SECRET_ROTATED, id, List.of()));
    }

    /** Removes an endpoint and its messages; false if there is none. */
    public boolean remove(String id, Actor by) {
        return units.commit(
                "remove a webhook",
                by,
                Target.NONE,
                connection -> {
                    boolean removed = Webhooks.remove(connection, id);
                    EventCursors.remove(connection, id);
                    Outbox.removeTarget(connection, id);
                    return removed;
                },
                removed -> removed ? event(AuditAction.WEBHOOK_REMOVED, id, List.of()) : null);
    }

    /** Sends a message that says nothing, and returns its id; empty if there is no such endpoint. */
    public Optional<String> test(String id, Actor by) {
        String message = outbox.newId("msg_");
        String payload = EventRelay.payload(EventType.TEST, outbox.now(), data -> data.text("webhookId", id));
        return units.commit(
                "test a webhook",
                by,
                Target.NONE,
                connection -> {
                    if (webhooks.hold(connection, id) == null) {
                        return Optional.<String>empty();
                    }
                    outbox.add(connection, message, Kind.WEBHOOK, id, "", EventType.TEST, payload);
                    return Optional.of(message);
                },
                added -> null);
    }

    /** Sends a message again; false if it does not exist. */
    public boolean redeliver(Kind kind, String target, String id, Actor by) {
        return units.commit(
                "send a message again",
                by,
                Target.NONE,
                connection -> outbox.redeliver(connection, kind, target, id),
                found -> null);
    }

    private byte[] newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    private static AuditEvent event(AuditAction action, String id, List<String> changed) {
        List<String> details = new ArrayList<>(List.of(id));
        details.addAll(changed);
        return AuditEvent.of(action, "").withChanges(details);
    }
}
