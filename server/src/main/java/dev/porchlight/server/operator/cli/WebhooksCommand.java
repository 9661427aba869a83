// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.outbox.Webhook;
import dev.porchlight.server.outbox.WebhookAdministration;
import dev.porchlight.server.outbox.WebhookAdministration.Change;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The endpoints that receive events. */
@Command(name = "webhooks", header = "Send events to the endpoints of other systems.")
final class WebhooksCommand extends CommandGroup {
    private <R> R change(Function<WebhookAdministration, R> change) throws Exception {
        var storage = storage();
        return write(units -> change.apply(new WebhookAdministration(units, storage.webhooks(), storage.outbox())));
    }

    private static CommandException missing(String id) {
        return new CommandException("there is no webhook " + id + ". List them with: porchlight webhooks list");
    }

    private static void validate(Change change) throws CommandException {
        if (!change.problems().isEmpty()) {
            throw new CommandException(String.join(System.lineSeparator() + "Error: ", change.problems()));
        }
    }

    @Command(
            name = "add",
            header = "Add an endpoint, and print the secret that signs its messages.",
            description = {"", "The secret is shown once. Running instances send events within some seconds."})
    void add(
            @Parameters(paramLabel = "URL", description = "an https URL, or http on this machine") String url,
            @Option(
                            names = "--event",
                            paramLabel = "EVENT",
                            description =
                                    "an event such as user.locked, or a group such as user.*; can be repeated; default: all")
                    @Nullable
                    List<String> events,
            @Mixin Format format)
            throws Exception {
        Change settings = new Change(url, events, null);
        validate(settings);
        Optional<Webhook> added = change(it -> it.add(settings, Operator.commandLine()));
        printSecret(
                added.orElseThrow(() -> new CommandException("there are 20 webhooks already. Remove one first.")),
                format);
    }

    private static void printSecret(Webhook webhook, Format format) {
        format.print(Listing.of(json -> {
                    webhook.write(json);
                    json.text("secret", webhook.secrets().current());
                })
                .fields("webhookId=id", "url=URL", "events", "secret"));
    }

    @Command(name = "list", header = "List the endpoints.")
    void list(@Mixin Format format) throws Exception {
        format.print(Listing.of(
                "webhooks",
                storage().webhooks().all(),
                Webhook::write,
                "There is no webhook. Add one with: porchlight webhooks add URL",
                "webhookId=id",
                "url=URL",
                "events",
                "enabled",
                "createdAt"));
    }

    @Command(
            name = "rotate",
            header = "Replace the secret of an endpoint and print the new one.",
            description = {"", "For a day, messages are signed with both secrets."})
    void rotate(@Parameters(paramLabel = "ID", description = "the id of the webhook") String id, @Mixin Format format)
            throws Exception {
        printSecret(change(it -> it.rotate(id, Operator.commandLine())).orElseThrow(() -> missing(id)), format);
    }

    @Command(
            name = "test",
            header = "Send a test message to an endpoint.",
            description = {"", "A running instance sends it. GET /admin/webhooks/ID shows the result."})
    void test(@Parameters(paramLabel = "ID", description = "the id of the webhook") String id) throws Exception {
        Optional<String> message = change(it -> it.test(id, Operator.commandLine()));
        out().println("message " + message.orElseThrow(() -> missing(id)) + " waits to be sent.");
    }

    @Command(
            name = "remove",
            header = "Remove an endpoint.",
            description = {"", "Messages that were not delivered are removed with it."})
    void remove(@Parameters(paramLabel = "ID", description = "the id of the webhook") String id) throws Exception {
        if (!change(it -> it.remove(id, Operator.commandLine()))) {
            throw missing(id);
        }
        out().println(id + " is removed.");
    }
}
