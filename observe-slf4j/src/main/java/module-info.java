// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** An SLF4J 2 provider that writes through the installed logger. */
@NullMarked
module dev.porchlight.observe.slf4j {
    requires dev.porchlight.observe;
    requires org.slf4j;
    requires static org.jspecify;

    provides org.slf4j.spi.SLF4JServiceProvider with
            dev.porchlight.observe.slf4j.Slf4jProvider;
}
