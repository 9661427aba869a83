// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import java.security.Principal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A page that requires a login. */
@RestController
class HelloController {
    @GetMapping("/hello")
    String hello(Principal user) {
        return "Hello " + user.getName();
    }
}
