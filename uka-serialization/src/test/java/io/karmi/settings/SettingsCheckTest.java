package io.karmi.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class SettingsCheckTest {
  private static SettingsCheck ofProperty(String name, String value) {
    return SettingsCheck.of(Map.of(name, value), Map.of(), false);
  }

  private static SettingsCheck ofVariable(String name, String value) {
    return SettingsCheck.of(Map.of(), Map.of(name, value), false);
  }

  private static void assertRefused(SettingsCheck check, String... parts) {
    assertThat(check.refusal()).contains(parts);
    assertThat(check.warnings()).isEmpty();
  }

  private static void assertIgnored(SettingsCheck check, String... parts) {
    assertThat(check.refusal()).isNull();
    assertThat(check.warnings()).singleElement().asString().contains(parts);
  }

  @Test
  public void namesOfSecurityInOtherLettersAreRefused() {
    assertRefused(ofProperty("Karmi.tls", "x"), "karmi.tls,");
    assertRefused(ofProperty("KARMI_TLS", "x"), "karmi.tls,");
    assertRefused(ofProperty("karmi-serial-filter", "interface"), "karmi.serialFilter,");
    assertRefused(ofProperty("KARMI.jrmp", "false"), "karmi.jrmp,");
    for (String other : List.of("karmi-shop.port", "karmic.tls", "karmi_home", "Karmi.jar")) {
      SettingsCheck check = ofProperty(other, "x");
      assertThat(check.refusal()).as(other).isNull();
      assertThat(check.warnings()).as(other).isEmpty();
    }
  }

  @Test
  public void wrongValuesOfSecuritySettingsAreRefused() {
    String[][] wrong = {
      {"karmi.serialFilter", "Interface", "interface, none"},
      {"karmi.serialFilter", " interface", "interface, none"},
      {"karmi.serialFilter", "true", "interface, none"},
      {"karmi.serialFilter", "", "interface, none"},
      {"karmi.tls", "", "a properties file"},
      {"karmi.tls", "/etc/node\0.tls", "a properties file"},
      {"karmi.format", "xml", "uka, jdk"},
      {"karmi.jrmp", "no", "true, false"},
      {"karmi.registry.remoteWrites", "1", "true, false"},
      {"karmi.messaging.open", "yes", "true, false"},
      {"karmi.maxConnections", "0", "from 1 to"},
      {"karmi.maxConnections", "-5", "from 1 to"},
      {"karmi.maxMessageBytes", "10", "at least 1000"},
      {"karmi.maxBytesPerSecondPerHost", "1 MB", "at least 0"},
      {"uka.format", "xml", "uka, jdk"},
    };
    for (String[] each : wrong) {
      assertRefused(ofProperty(each[0], each[1]), each[0] + "=" + each[1] + " ", each[2]);
    }
  }

  @Test
  public void wrongValuesOfOtherSettingsAreIgnoredWithWhatIsUsed() {
    String[][] wrong = {
      {"karmi.interruptible", "yes", "false is used"},
      {"karmi.virtualThreads", "ja", "false is used"},
      {"karmi.codegen", "false", "on is used"},
      {"karmi.jmx", "maybe", "auto, true, false; it is ignored: auto is used"},
      {"karmi.connectTimeout", "-1", "10000 is used"},
      {"karmi.keepAlive", "10", "30000 is used"},
      {"karmi.spinMicros", "9999999999", "from 0 to 1000000"},
      {"karmi.messaging.window", "5", "524288 is used"},
      {"karmi.bridge", "on", "false is used"},
      {"karmi.uds.directory", "/run/\0", "a directory"},
      {"karmi.exchange.dir", "/run/\0", "a directory"},
      {"karmi.exchange.store", "/run/\0", "a directory"},
    };
    for (String[] each : wrong) {
      assertIgnored(ofProperty(each[0], each[1]), each[0] + "=" + each[1] + " ", each[2]);
    }
  }

  @Test
  public void unknownNamesNearASecuritySettingAreRefused() {
    String[][] names = {
      {"karmi.tsl", "karmi.tls"},
      {"karmi.TLS", "karmi.tls"},
      {"karmi.ssl", "karmi.tls"},
      {"karmi.tls.keyStore", "karmi.tls"},
      {"karmi.serialfilter", "karmi.serialFilter"},
      {"karmi.filter", "karmi.serialFilter"},
      {"karmi.jrpm", "karmi.jrmp"},
      {"karmi.maxConections", "karmi.maxConnections"},
      {"karmi.remoteWrites", "karmi.registry.remoteWrites"},
      {"karmi.frmat", "karmi.format"},
      {"karmi.technology", "karmi.technologies"},
      {"uka.frmat", "uka.format"},
      {"uka.serialFilter", "karmi.serialFilter"},
    };
    for (String[] each : names) {
      assertRefused(ofProperty(each[0], "x"), each[0] + " is no setting", each[1] + ",");
    }
  }

  @Test
  public void otherUnknownNamesAreIgnoredWithTheNearest() {
    assertIgnored(ofProperty("karmi.idleTimout", "5"), "nearest one is karmi.idleTimeout");
    assertIgnored(ofProperty("karmi.virtualthread", "x"), "nearest one is karmi.virtualThreads");
    assertIgnored(ofProperty("karmi.colour", "red"), "docs/settings.md");
    assertIgnored(ofProperty("karmi.messaging.lanes", "99"), Settings.LANES.name());
  }

  @Test
  public void valuesOfUnknownNamesAreNotShown() {
    assertThat(ofVariable("KARMI_PASSWORD", "geheim").warnings().toString())
        .contains("KARMI_PASSWORD")
        .doesNotContain("geheim");
    assertThat(ofProperty("karmi.tlsPassword", "geheim").warnings().toString())
        .doesNotContain("geheim");
  }

  @Test
  public void variablesOfTheEnvironmentMeanTheSame() {
    assertRefused(ofVariable("KARMI_SERIAL_FILTER", "Interface"), "KARMI_SERIAL_FILTER=Interface");
    assertRefused(ofVariable("KARMI_SERIALFILTER", "x"), "KARMI_SERIAL_FILTER,");
    assertRefused(ofVariable("KARMI_TSL", "x"), "KARMI_TLS,");
    assertRefused(ofVariable("KARMI_UKA_FRMAT", "x"), "KARMI_UKA_FORMAT,");
    assertRefused(ofVariable("karmi_tls", "x"), "KARMI_TLS,");
    assertRefused(ofVariable("Karmi_Serial_Filter", "interface"), "KARMI_SERIAL_FILTER,");
    assertIgnored(ofVariable("KARMI_CONNECT_TIMEOUT", "soon"), "10000 is used");
    assertIgnored(ofVariable("KARMI_CONNECT_TIMOUT", "5"), "KARMI_CONNECT_TIMEOUT");
    assertThat(Settings.REMOTE_WRITES.environment()).isEqualTo("KARMI_REGISTRY_REMOTE_WRITES");
    assertThat(Settings.STREAM_FORMAT.environment()).isEqualTo("KARMI_UKA_FORMAT");
  }

  @Test
  public void propertyWinsOverTheVariable() {
    SettingsCheck both =
        SettingsCheck.of(Map.of("karmi.jrmp", "false"), Map.of("KARMI_JRMP", "no idea"), false);
    assertThat(both.refusal()).isNull();
    assertThat(both.warnings()).isEmpty();
  }

  @Test
  public void namesOfCommandsTestsAndOtherProgramsAreLeftAlone() {
    SettingsCheck check =
        SettingsCheck.of(
            Map.of("karmi.test.rounds", "5", "karmik.tls", "x", "tls", "x", "ukas.format", "x"),
            Map.of("KARMI_CACHE", "x", "KARMI_HOME", "x", "KARMI_TEST_OTHER_JDK", "x"),
            false);
    assertThat(check.refusal()).isNull();
    assertThat(check.warnings()).isEmpty();
  }

  @Test
  public void variablesThatKubernetesMakesForServicesAreLeftAlone() {
    for (String name :
        List.of(
            "KARMI_TLS_SERVICE_HOST",
            "KARMI_SERVICE_PORT_RMI",
            "KARMI_TLS_PORT",
            "KARMI_PORT_1099_TCP",
            "KARMI_TLS_PORT_1099_TCP_ADDR")) {
      SettingsCheck check = ofVariable(name, "tcp://10.0.0.1:1099");
      assertThat(check.refusal()).as(name).isNull();
      assertThat(check.warnings()).as(name).isEmpty();
    }
  }

  @Test
  public void numberOfTheJdkIsIgnoredWithWhatIsUsed() {
    assertIgnored(
        ofProperty("sun.rmi.transport.tcp.readTimeout", "long"),
        "sun.rmi.transport.tcp.readTimeout=long is no whole number",
        "7200000 is used");
    assertIgnored(ofProperty("java.rmi.dgc.leaseValue", "long"), "600000 is used");
    SettingsCheck overruled =
        SettingsCheck.of(
            Map.of("sun.rmi.transport.tcp.readTimeout", "long", "karmi.readTimeout", "5"),
            Map.of(),
            false);
    assertThat(overruled.warnings()).isEmpty();
  }

  @Test
  public void streamsAloneCareForWhatConcernsThem() {
    Map<String, String> ofNodes =
        Map.of("karmi.tsl", "x", "karmi.serialFilter", "x", "karmi.connectTimeout", "-1");
    SettingsCheck check = SettingsCheck.of(ofNodes, Map.of("KARMI_TSL", "x"), true);
    assertThat(check.refusal()).isNull();
    assertThat(check.warnings()).isEmpty();
    assertThat(SettingsCheck.of(Map.of("uka.frmat", "jdk"), Map.of(), true).refusal())
        .contains("uka.format");
    assertThat(SettingsCheck.of(Map.of("uka.serialFilter", "x"), Map.of(), true).refusal())
        .contains("karmi.serialFilter");
    assertThat(SettingsCheck.of(Map.of("karmi.codegen", "false"), Map.of(), true).warnings())
        .hasSize(1);
  }

  @Test
  public void rowsAreUnique() {
    List<String> names = Settings.all().stream().map(Setting::name).toList();
    assertThat(names).doesNotHaveDuplicates();
  }
}
