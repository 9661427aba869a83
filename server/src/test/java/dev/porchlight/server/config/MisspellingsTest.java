// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MisspellingsTest {
    /** Of shells, desktops, systemd, containers, CI, Java, databases, proxies and OpenTelemetry. */
    private static final String USUAL = """
            PATH HOME USER LOGNAME SHELL PWD OLDPWD SHLVL TERM LANG LANGUAGE LC_ALL TZ HOST HOSTNAME HOSTS HOSTTYPE MAIL
            EDITOR PAGER DISPLAY TMPDIR TEMP POSTGRES_HOST POST PORTS SORT PROTO PROMPT PS1 IFS UID LINES COLUMNS
            SSH_AUTH_SOCK SSH_CLIENT SSH_TTY SUDO_USER XDG_SESSION_ID XDG_DATA_DIRS XDG_DATA_HOME SESSION_MANAGER DATADIRS
            DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_PID STATE_DIRECTORY
            KUBERNETES_SERVICE_HOST KUBERNETES_PORT PORCHLIGHT_SERVICE_HOST PORCHLIGHT_PORT PORCHLIGHT_PORT_8080_TCP
            PORCHLIGHT_LIB PORCHLIGHT_DOCS POD_NAME NODE_NAME K_REVISION K_CONFIGURATION CLOUD_RUN_JOB DYNO
            GOOGLE_CLOUD_PROJECT_ID GOOGLE_APPLICATION_CREDENTIALS GCLOUD_PROJECT AWS_REGION AWS_SESSION_TOKEN
            CI BUILD_ID PR_ID PR_NAME GITHUB_TOKEN GITHUB_REF GITHUB_ACTIONS RUNNER_OS CI_JOB_TOKEN CI_SERVER_HOST
            JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS MAVEN_OPTS CLASSPATH NODE_ENV NODE_OPTIONS NPM_TOKEN
            DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DB_URL PGHOST PGPORT PGUSER PGPASSWORD PGDATA
            POSTGRES_PASSWORD REDIS_HOST REDIS_PORT REDIS_PASSWORD REDIS_TLS_URL
            HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy no_proxy LOG_FORMAT LOG_FILE LOG_DIR DEBUG
            SSL_CERT_FILE TLS_CERT TLS_CA SIGNING_KEY SECRET SECRET_KEY SESSION_NAME TOKEN RP_PORT
            OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_EXPORTER_OTLP_TIMEOUT
            OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_COMPRESSION OTEL_PROPAGATORS OTEL_SERVICE_VERSION
            OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_ENDPOINT_INTERNAL""";

    @ParameterizedTest
    @CsvSource({
        "RP_ORIGN, RP_ORIGIN",
        "SESION_SECRET, SESSION_SECRET",
        "SESSION_SECERT_PREVIOUS, SESSION_SECRET_PREVIOUS",
        "PORTT, PORT",
        "PROT, PORT",
        "HOSTT, HOST",
        "RPID, RP_ID",
        "rp_name, RP_NAME",
        "ADMIN-TOKEN, ADMIN_TOKEN",
        "DATABASE_URI, DATABASE_URL",
        "RETURN_URL, RETURN_URLS",
        "TRUSTED_PROXY, TRUSTED_PROXIES",
        "OTEL_EXPORTER_OLTP_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT",
    })
    void a_misspelled_setting_gets_one_warning_with_the_right_name(String typed, String name) {
        assertThat(Misspellings.in(List.of("PATH", typed)))
                .containsExactly(typed + " is not a setting. Did you mean " + name + '?');
    }

    @Test
    void usual_variables_get_no_warning() {
        assertThat(Misspellings.in(List.of(USUAL.split("\\s+")))).isEmpty();
        assertThat(Misspellings.in(Settings.all().stream().map(Setting::name).toList()))
                .isEmpty();
    }
}
