package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.kernels.KernelClient;
import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.peers.DirmiClient;
import io.karmi.benchmarks.peers.DirmiServer;
import io.karmi.benchmarks.peers.FloorClient;
import io.karmi.benchmarks.peers.FloorServer;
import io.karmi.benchmarks.peers.GrpcClient;
import io.karmi.benchmarks.peers.GrpcServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table of software configurations: a row is all there is to one. The same class files run on
 * stock RMI and on KaRMI; a peer or a floor has programs of its own, and knows only kernels that
 * ping.
 */
public enum Stack {
  RMI("stock RMI", "the JDK's RMI and object streams, unchanged", Programs.OF_RMI),
  RMI_UKA(
      "RMI + UKA",
      "stock RMI on UKA's object streams, by the boot path",
      Programs.OF_RMI,
      "--via=boot",
      "--only=serialization"),
  KARMI_JDK("KaRMI + JDK", "agent, over TCP, with the JDK's object streams", "tcp", "--only=rmi"),
  KARMI_UKA("KaRMI + UKA", "agent, over TCP", "tcp", "--via=agent"),
  KARMI_UDS("KaRMI on uds", "agent, over Unix domain sockets", "uds", "--via=agent"),
  KARMI_SHM("KaRMI on shm", "agent, over shared memory", "shm", "--via=agent"),
  KARMI_UCX("KaRMI on ucx", "agent, over UCX", "ucx", "--via=agent"),
  KARMI(
      "KaRMI", "agent without any setting; it chooses the network", Programs.OF_RMI, "--via=agent"),
  DIRMI("Dirmi", "a hand-written serializer for each class", Programs.OF_DIRMI),
  GRPC(
      "gRPC-java",
      "native Netty transport, no TLS, direct executors, hand-written messages",
      Programs.OF_GRPC),
  SOCKET("raw socket", "floor: TCP_NODELAY, as many bytes as KaRMI + UKA", Programs.OF_FLOOR);

  /** From this version on the JDK warns of native code unless it is told not to. */
  private static final int WARNING_JDK = 24;

  /** The setting by which streams of stock RMI write UKA's format. */
  private static final String UKA_FORMAT = "-Duka.format=uka";

  private final String title;
  private final String configuration;
  private final Programs programs;
  private final @Nullable String technology;
  private final List<String> karmiJava;

  Stack(String title, String configuration, Programs programs, String... karmiJava) {
    this.title = title;
    this.configuration = configuration;
    this.programs = programs;
    this.technology = null;
    this.karmiJava = List.of(karmiJava);
  }

  Stack(String title, String configuration, String technology, String karmiJava) {
    this.title = title;
    this.configuration = configuration;
    this.programs = Programs.OF_RMI;
    this.technology = technology;
    this.karmiJava = List.of(karmiJava);
  }

  /** The main classes of a stack. */
  private enum Programs {
    OF_RMI(KernelServer.class, KernelClient.class),
    OF_DIRMI(DirmiServer.class, DirmiClient.class),
    OF_GRPC(GrpcServer.class, GrpcClient.class),
    OF_FLOOR(FloorServer.class, FloorClient.class);

    private final Class<?> server;
    private final Class<?> client;

    Programs(Class<?> server, Class<?> client) {
      this.server = server;
      this.client = client;
    }
  }

  /** The paper's four, and the agent alone. */
  public static List<Stack> ofThePaper() {
    return List.of(RMI, RMI_UKA, KARMI_JDK, KARMI_UKA, KARMI);
  }

  /**
   * The stack of this {@link #optionName}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Stack of(String optionName) {
    List<String> names = Arrays.stream(values()).map(Stack::optionName).toList();
    int index = names.indexOf(optionName);
    if (index < 0) {
      throw new IllegalArgumentException(
          "no stack is called " + optionName + ", only " + String.join(", ", names));
    }
    return values()[index];
  }

  /** All but UCX: a program uses that only where it is named, or there is hardware for it. */
  public static List<Stack> ofTheCollection() {
    return Arrays.stream(values()).filter(stack -> !stack.needsUcx()).toList();
  }

  /**
   * Stock RMI, KaRMI + UKA on TCP and on each of these networks, and the raw socket.
   *
   * @param names separated by commas, or {@code all}
   * @throws IllegalArgumentException if there is no network of a name
   */
  public static List<Stack> ofTechnologies(String names) {
    List<Stack> complete = new ArrayList<>(List.of(values()));
    complete.removeIf(stack -> stack.technology == null || stack == KARMI_JDK);
    List<String> known = complete.stream().map(stack -> "" + stack.technology).toList();
    List<Stack> chosen = new ArrayList<>(List.of(RMI, KARMI_UKA, SOCKET));
    for (String name : names.split(",", -1)) {
      if (name.strip().equals("all")) {
        chosen.addAll(complete);
      } else if (known.contains(name.strip())) {
        chosen.add(complete.get(known.indexOf(name.strip())));
      } else {
        throw new IllegalArgumentException(
            "no technology is called " + name.strip() + ", only all, " + String.join(", ", known));
      }
    }
    return chosen.stream().distinct().sorted().toList();
  }

  /** The name on the command line and in files. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name in the tables. */
  public String title() {
    return title;
  }

  /** How it is set up, for the report. */
  public String configuration() {
    return this == RMI_UKA ? configuration + "; " + UKA_FORMAT : configuration;
  }

  /** The name of KaRMI's technology that it is bound to, beside TCP; null for none. */
  public @Nullable String technology() {
    return technology;
  }

  /** Does it need the jars of UCX beside its own? */
  boolean needsUcx() {
    return this == KARMI_UCX;
  }

  /** Does it run programs of its own? */
  public boolean isPeer() {
    return programs != Programs.OF_RMI;
  }

  /** Does it only move bytes? Then its client takes, with each kernel's name, how many. */
  public boolean isFloor() {
    return programs == Programs.OF_FLOOR;
  }

  /** Is it of use on one host only? */
  boolean isLocal() {
    return "uds".equals(technology) || "shm".equals(technology);
  }

  /** Can it run this kernel? */
  public boolean runs(KernelName kernel) {
    if (isFloor()) {
      return kernel.isPlainPing();
    }
    if (kernel.needsTcp() && (isLocal() || this == KARMI || this == KARMI_UCX)) {
      return false;
    }
    return !isPeer() || kernel.isPingOfThePaper();
  }

  /** The main class of the server's or client's program. */
  String program(boolean asServer) {
    return (asServer ? programs.server : programs.client).getName();
  }

  /** The options of {@code karmi-java}; empty for plain {@code java}. */
  List<String> karmiJavaOptions() {
    return karmiJava;
  }

  /** Options of the JVM that this stack needs. */
  List<String> jvmOptions() {
    List<String> options = new ArrayList<>();
    if (needsUcx() && Runtime.version().feature() >= WARNING_JDK) {
      options.add("--enable-native-access=ALL-UNNAMED");
    }
    if (technology != null) {
      /* Registries are looked up at a TCP port, also where another network carries the calls. */
      String names = technology.equals("tcp") ? "tcp" : technology + ",tcp";
      options.add("-Dkarmi.technologies=" + names);
    }
    if (this == RMI_UKA) {
      options.add(UKA_FORMAT);
    }
    return List.copyOf(options);
  }
}
