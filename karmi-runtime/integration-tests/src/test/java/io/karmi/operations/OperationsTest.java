package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class OperationsTest {
  private static final String MAIN = Operated.class.getName();

  /** A server without options, for all tests that change nothing of it. */
  private static Jvm plain;

  private static String plainPort;

  @BeforeClass
  public static void startPlainServer() throws Exception {
    plain = server();
    plainPort = plain.awaitLine("port ");
  }

  @AfterClass
  public static void endPlainServer() {
    plain.close();
  }

  private static Jvm server(String... options) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(options));
    all.add(MAIN);
    all.add("serve");
    return Jvm.start(all.toArray(new String[0]));
  }

  private static List<String> call(String port, String what, String... options) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(options));
    all.addAll(List.of(MAIN, "call", port, what));
    try (Jvm client = Jvm.start(all.toArray(new String[0]))) {
      return client.everything();
    }
  }

  private static List<String> network(String port, String technology) throws Exception {
    try (Jvm client =
        Jvm.start(
            "-Dkarmi.technologies=uds,tcp",
            "-Dkarmi.idleTimeout=500",
            MAIN,
            "call",
            port,
            "network",
            technology)) {
      return client.everything();
    }
  }

  @Test
  public void hardenedServerAcceptsWhatItsSignaturesLeadTo() throws Exception {
    try (Jvm server = server("-Dkarmi.serialFilter=interface")) {
      List<String> seen = call(server.awaitLine("port "), "types");
      assertThat(seen)
          .containsExactly(
              "text text",
              "values [1, 2.5, 1]",
              "date 2001-02-03",
              "person p of Main",
              "employee e of Main",
              "persons [q]",
              "stub true",
              "gadget threw ServerException < UnmarshalException < InvalidClassException",
              "hidden threw ServerException < UnmarshalException < InvalidClassException",
              "after still there");
    }
  }

  @Test
  public void serverAcceptsEverythingUnlessItIsHardened() throws Exception {
    assertThat(call(plainPort, "types")).contains("gadget Gadget");
  }

  @Test
  public void jvmWideFilterMayAllowMoreThanTheSignatures() throws Exception {
    try (Jvm server =
        server(
            "-Dkarmi.serialFilter=interface",
            "-Djdk.serialFilter=io.karmi.operations.Gadget;!java.time.*")) {
      assertThat(call(server.awaitLine("port "), "types"))
          .contains(
              "gadget Gadget",
              "date threw ServerException < UnmarshalException < InvalidClassException");
    }
  }

  @Test
  public void hardenedClientAcceptsResultsThatSignaturesLeadToAndExceptions() throws Exception {
    assertThat(call(plainPort, "unexpected", "-Dkarmi.serialFilter=interface"))
        .filteredOn(line -> !line.contains("refused") && !line.contains("InterfaceFilter"))
        .containsExactly(
            "unexpected threw UnmarshalException < InvalidClassException",
            "echo text",
            "fail [e]",
            "unmentioned threw Unmentioned");
  }

  @Test
  public void interceptorsOnBothSidesSeeTheCallAndItsHeader() throws Exception {
    try (Jvm server = Jvm.start(MAIN, "serve", "traced")) {
      String port = server.awaitLine("port ");
      assertThat(call(port, "traced"))
          .as("the lookup came without a trace, and was refused")
          .anyMatch(line -> line.contains("IllegalStateException: no trace"));
    }
    assertThat(call(plainPort, "traced"))
        .containsExactly(
            "ended echo(Ljava/lang/Object;)Ljava/lang/Object; null",
            "echo 1",
            "ended fail()V io.karmi.operations.Unmentioned",
            "fail threw Unmentioned");
  }

  @Test
  public void interceptorsAreFoundByTheServiceLoader() throws Exception {
    try (Jvm server = server("-Dkarmi.test.loaded=true")) {
      String port = server.awaitLine("port ");
      assertThat(call(port, "echo", "-Dkarmi.test.loaded=true")).contains("echo text");
      String method = "echo(Ljava/lang/Object;)Ljava/lang/Object;";
      assertThat(server.awaitLine("loaded called " + Operated.Service.class.getName() + "."))
          .isEqualTo(method + " {loaded=" + method + "}");
      assertThat(server.awaitLine("loaded served ")).isEqualTo(method + " null");
    }
  }

  @Test
  public void methodThatReturnsAFutureDoesNotKeepItsCallerWaiting() throws Exception {
    try (Jvm server = server()) {
      assertThat(call(server.awaitLine("port "), "futures"))
          .containsExactly(
              "done false",
              "other meanwhile",
              "later as it was",
              "failing completed with IOException",
              "sent completed with MarshalException < NotSerializableException",
              "after still there");
    }
  }

  @Test
  public void tooManyPendingCallsFail() throws Exception {
    assertThat(call(plainPort, "pending", "-Dkarmi.internal.maxPendingCalls=2"))
        .containsExactly("third completed with RemoteException", "first a", "second b", "fourth d");
  }

  @Test
  public void flightRecorderShowsCallsAndExports() throws Exception {
    assertThat(call(plainPort, "flight"))
        .contains(
            "event echo null true",
            "event fail io.karmi.operations.Unmentioned true",
            "event io.karmi.Export true")
        .filteredOn(line -> line.startsWith("event echo"))
        .hasSize(1);
  }

  @Test
  public void flightRecorderShowsConnectionsAndMessagesOfCollectors() throws Exception {
    try (Jvm server = server("-Dkarmi.technologies=uds,tcp")) {
      String port = server.awaitLine("port ");
      for (String technology : List.of("tcp", "uds")) {
        assertThat(network(port, technology))
            .as("connections of %s", technology)
            .containsExactly("opened true", "closed true", "sent true", "received true");
      }
    }
  }

  @Test
  public void jmxShowsCountersAndObjectsOnceItIsUsed() throws Exception {
    for (String setting : List.of("auto", "true")) {
      List<String> seen = call(plainPort, "bean", "-Dkarmi.jmx=" + setting);
      assertThat(seen)
          .contains("objects 0")
          .contains("setting karmi.jmx = " + setting + " (property)")
          .contains("setting karmi.callTimeout = 0 (default)");
      assertThat(seen).anyMatch(line -> line.matches("made [2-9]"));
    }
  }

  @Test
  public void thereIsNoBeanWhereNoneIsWanted() throws Exception {
    assertThat(call(plainPort, "no bean", "-Dkarmi.jmx=false")).containsExactly("registered false");
    assertThat(call(plainPort, "no bean", "-Dkarmi.jmx=true")).containsExactly("registered true");
  }

  @Test
  public void smallRunTimeImageIsEnough() throws Exception {
    try (Jvm server = server("--limit-modules", "java.rmi,jdk.unsupported")) {
      assertThat(
              call(
                  server.awaitLine("port "), "echo", "--limit-modules", "java.rmi,jdk.unsupported"))
          .containsExactly("echo text");
    }
  }

  @Test
  public void callsRunOnVirtualThreadsWhereTheJdkHasThem() throws Exception {
    boolean there = Runtime.version().feature() >= 21;
    try (Jvm server = server("-Dkarmi.virtualThreads=true")) {
      String port = server.awaitLine("port ");
      assertThat(call(port, "virtual")).containsExactly("virtual " + there);
      assertThat(call(port, "futures")).contains("later as it was");
    }
  }

  @Test
  public void commandShowsTheObjectsOfAnyNodeOfItsHost() throws Exception {
    try (Jvm command = Jvm.start("io.karmi.registry.KarmiRegistry", "--objects", plainPort)) {
      assertThat(command.everything())
          .anyMatch(line -> line.equals("exportedObjects 2"))
          .anyMatch(
              line -> line.matches("[0-9a-f]{4}\\.\\.\\. .*Operated\\$Implementation implements.*"))
          .as("all of a number is as good as a reference")
          .noneMatch(line -> line.matches("[0-9a-f]{6,16} .*"))
          .anyMatch(line -> line.contains("RegistryImpl") && line.contains("permanent"));
    }
  }
}
