package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Every place at which the runtime reads objects, or asks other nodes on its own account. Bytes of
 * peers are read for a program, by what the program has exported or calls, or they pass a filter of
 * the runtime's. A place that is new has to be put here, with what it reads.
 */
public class ReadersArchitectureTest {
  private static final String REFERENCE = "io.karmi.reference.";
  private static final String STOCK = "io.karmi.stock.";
  private static final String REMOTE_INTERFACE = "io.karmi.id.RemoteInterface";

  /** Streams that the runtime opens itself. */
  private static final Map<String, String> STREAMS =
      Map.of(
          STOCK + "StockName",
          "bytes that it has written itself; no object",
          "io.karmi.stub.StandInRef",
          "bytes that it has written itself; no object",
          STOCK + "StockNumbers",
          "bytes that it has written itself; no object",
          "io.karmi.jmx.BoundedConnection",
          "a parameter that was read, written again; a filter",
          "io.karmi.jmx.Parameter",
          "what stands for such a parameter, made here");

  /** Inputs of calls and messages; filters are set for each by who reads. */
  private static final Map<String, String> INPUTS =
      Map.of(
          REFERENCE + "LocalCalls",
          "calls within this JVM",
          "io.karmi.connection.call.CallConnection",
          "calls and replies: filters of exports and results",
          "io.karmi.messaging.InLane",
          "messages: the filter of messages");

  /** Methods that are called by their hashes, with the filter of their answers. */
  private static final Map<String, String> BY_HASH =
      Map.of(
          REFERENCE + "Inspection", "tables, ways and ping: lines (AnswersTest)",
          REFERENCE + "CollectorCalls", "collectors: no object (AnswersTest)",
          REFERENCE + "ClientRef", "calls of the program by a proxy: the filter of its interface");

  /** Stubs of interfaces that the runtime knows by itself. */
  private static final Map<String, String> STUBS =
      Map.of(
          "io.karmi.registry.RegistryStub",
          "a program's own lookups, as in stock RMI",
          "io.karmi.registry.Registries",
          "made for a skeleton; nothing is asked",
          STOCK + "StockSide",
          "counterparts: stubs (AnswerFilter)",
          STOCK + "CounterpartService",
          "made for a skeleton; nothing is asked");

  private static JavaClasses code;

  @BeforeClass
  public static void readCode() {
    code =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                "io.karmi.bridge",
                "io.karmi.connection",
                "io.karmi.dgc",
                "io.karmi.id",
                "io.karmi.jmx",
                "io.karmi.marshal",
                "io.karmi.messaging",
                "io.karmi.reference",
                "io.karmi.registry",
                "io.karmi.rmi",
                "io.karmi.shm",
                "io.karmi.stock",
                "io.karmi.stub",
                "io.karmi.tcp",
                "io.karmi.technology",
                "io.karmi.ucx",
                "io.karmi.uds");
  }

  /** The top-level classes in which a method of this name of one of these classes is called. */
  private static Set<String> callers(Set<String> owners, String name) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : code) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        unit.getCallsFromSelf().stream()
            .filter(call -> owners.contains(call.getTargetOwner().getName()))
            .filter(call -> call.getTarget().getName().equals(name))
            .filter(call -> !call.getTargetOwner().equals(type.getRawSuperclass().orElse(null)))
            .forEach(call -> found.add(outermost(type)));
      }
    }
    return found;
  }

  private static String outermost(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  @Test
  public void streamsThatTheRuntimeOpensAreKnown() {
    Set<String> streams = Set.of("java.io.ObjectInputStream", "io.karmi.uka.UkaObjectInputStream");
    assertThat(callers(streams, "<init>")).containsExactlyInAnyOrderElementsOf(STREAMS.keySet());
  }

  @Test
  public void inputsOfCallsAndMessagesAreKnown() {
    assertThat(callers(Set.of("io.karmi.marshal.CallInput"), "<init>"))
        .containsExactlyInAnyOrderElementsOf(INPUTS.keySet());
  }

  @Test
  public void questionsByHashHaveTheirFilters() {
    assertThat(callers(Set.of(REMOTE_INTERFACE), "ofHash"))
        .containsExactlyInAnyOrderElementsOf(BY_HASH.keySet());
  }

  @Test
  public void stubsOfTheRuntimesOwnInterfacesAreKnown() {
    Set<String> callers = callers(Set.of("io.karmi.stub.StubTypes"), "of");
    callers.removeIf(name -> name.startsWith("io.karmi.stub."));
    assertThat(callers).containsExactlyInAnyOrderElementsOf(STUBS.keySet());
  }
}
