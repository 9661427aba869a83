// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import jakarta.servlet.ServletContext;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The servers that the guide names. */
enum ServletContainer {
    TOMCAT {
        @Override
        Running start(Path folder, Consumer<ServletContext> setUp) throws Exception {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.toString());
            tomcat.setPort(0);
            tomcat.setSilent(true);
            tomcat.getConnector();
            Context context = tomcat.addContext("", folder.toString());
            context.addServletContainerInitializer((classes, servlets) -> setUp.accept(servlets), null);
            tomcat.start();
            return new Running(tomcat.getConnector().getLocalPort(), () -> {
                tomcat.stop();
                tomcat.destroy();
            });
        }
    },
    JETTY {
        @Override
        Running start(Path folder, Consumer<ServletContext> setUp) throws Exception {
            Server server = new Server(0);
            ServletContextHandler context = new ServletContextHandler("/");
            context.addServletContainerInitializer((classes, servlets) -> setUp.accept(servlets));
            server.setHandler(context);
            server.start();
            return new Running(((ServerConnector) server.getConnectors()[0]).getLocalPort(), server::stop);
        }
    };

    /** A started server. */
    record Running(int port, AutoCloseable stop) {}

    abstract Running start(Path folder, Consumer<ServletContext> setUp) throws Exception;
}
