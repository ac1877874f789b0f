package io.karmi.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Cable;
import io.karmi.kit.Jvm;
import io.karmi.kit.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Two JVMs in containers, which are namespaces of networks, mounts and processes of this machine,
 * with the options of docs/recipes/containers.md.
 */
public class ContainersTest {
  private static final int PORT = 1099;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Cable cable;
  private String server;
  private String client;
  private final List<Jvm> started = new ArrayList<>();

  @Before
  public void makeNetworks() throws Exception {
    assumeTrue(
        "the tests run with technologies of their own",
        System.getProperty("karmi.technologies") == null);
    assumeTrue("no memory to share here", Files.isDirectory(Path.of("/dev/shm")));
    cable = Cable.lay("kc", 9).orElse(null);
    assumeTrue("no namespaces can be made here (root, iproute2)", cable != null);
    server = cable.hosts().get(0);
    client = cable.hosts().get(1);
    assumeTrue(
        "no namespaces can be made here (unshare)",
        Cable.succeeds(container(server, false, "true")));
  }

  @After
  public void removeNetworks() throws Exception {
    for (Jvm each : started) {
      each.kill();
    }
    if (cable != null) {
      cable.close();
    }
  }

  /**
   * Executes a command in a container, which has memory and a folder of sockets of its own or not.
   */
  private List<String> container(String network, boolean shares, String... command)
      throws IOException {
    Path sockets = Files.createDirectories(folder.getRoot().toPath().resolve("sockets"));
    Files.setPosixFilePermissions(
        sockets, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    String own =
        "mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs -o mode=700 tmpfs "
            + sockets
            + " && export XDG_RUNTIME_DIR="
            + sockets;
    List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", network));
    words.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"));
    words.addAll(List.of("sh", "-c", (shares ? "true" : own) + " && exec \"$@\"", "sh"));
    words.addAll(List.of(command));
    return words;
  }

  /** The options of the page between its java and its jar. */
  private List<String> options(String container, boolean shares) throws IOException {
    Map<String, Object> here =
        Map.of(
            "server.shop", cable.address(container), "/run/karmi", folder.getRoot() + "/sockets");
    String beginning = shares ? "java -Dkarmi.uds.directory=/run/karmi" : "java";
    List<String> words =
        Recipe.read("containers")
            .command(beginning + " -Djava.rmi.server.hostname=server.shop", here);
    return words.subList(1, words.indexOf("-javaagent:karmi/lib/karmi.jar"));
  }

  private Jvm start(String container, boolean shares, String end) throws IOException {
    List<String> words = new ArrayList<>(options(container, shares));
    words.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", ChoiceMain.class.getName()));
    words.addAll(List.of(end, Integer.toString(PORT), cable.address(server)));
    Jvm jvm = Jvm.startBy(container(container, shares), words.toArray(String[]::new));
    started.add(jvm);
    return jvm;
  }

  /** How the calls of a client go, by technology. */
  private String ways(boolean share) throws Exception {
    start(server, share, "serve").awaitLine("ready");
    Jvm caller = start(client, share, "call");
    caller.ask("look up", "found");
    for (int i = 1; i <= 40; i++) {
      assertThat(caller.ask("call", "counted ")).as("each call is executed once").isEqualTo("" + i);
    }
    return caller.ask("counters", "counters ");
  }

  @Test
  public void containersThatShareNothingCallOverTcp() throws Exception {
    assertThat(ways(false)).containsPattern("tcp.callsMade=[4-9]\\d").contains("shm.callsMade=0");
  }

  @Test
  public void containersThatShareMemoryAndSocketsCallOverSharedMemory() throws Exception {
    assertThat(ways(true)).containsPattern("shm.callsMade=[2-9]\\d");
  }
}
