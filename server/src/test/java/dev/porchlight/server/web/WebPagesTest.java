// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WebPagesTest {
    @Test
    void every_listed_file_exists() {
        WebPages.ASSETS.forEach(
                name -> assertThat(WebFile.read("assets/" + name)).as(name).isNotEmpty());
        WebPages.MODULES.forEach(
                name -> assertThat(WebFile.read("porchlight/" + name)).as(name).isNotEmpty());
    }
}
