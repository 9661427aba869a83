// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.metrics.Counter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The routes. */
@RestController
class Orders {
    private static final Logger LOGGER = LoggerFactory.getLogger(Orders.class);

    private final HttpClient client;
    private final URI stock;
    private final Counter orders;

    Orders(HttpClient client, Observability observe, @Value("${server.port}") int port) {
        this.client = client;
        stock = URI.create("http://localhost:" + port + "/stock");
        orders = observe.metrics()
                .counter("orders_total")
                .help("Orders, by result.")
                .labels("result")
                .register();
    }

    @GetMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    String order() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(stock).build();
        String left = client.send(request, BodyHandlers.ofString()).body();
        LOGGER.atInfo().addKeyValue("stock", left).log("order accepted");
        orders.with("accepted").inc();
        return "ordered";
    }

    @GetMapping("/stock")
    String stock() {
        return "7";
    }
}
