package io.karmi.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.Registry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A process that may open few files, and has as many calls under way as with stock RMI. */
public class FewFilesTest {
  private static final int CALLERS = 100;

  /** A JVM needs some 20 for itself, and each call at least one. */
  private static final int FILES = 200;

  @Test
  public void callsGoByWayOfNetworksThatNeedFewerFiles() throws Exception {
    assumeTrue("files are counted", Files.exists(Path.of("/proc/self/limits")));
    CountDownLatch expected = new CountDownLatch(CALLERS);
    Meeting meeting =
        () -> {
          expected.countDown();
          try {
            expected.await(60, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    try {
      registry.bind("meeting", UnicastRemoteObject.exportObject(meeting, 0));
      List<String> fewFiles =
          List.of("/bin/sh", "-c", "ulimit -n " + FILES + " && exec \"$0\" \"$@\"");
      try (Jvm callers =
          Jvm.startBy(
              fewFiles,
              ManyCallersMain.class.getName(),
              String.valueOf(port),
              String.valueOf(CALLERS))) {
        assertThat(callers.awaitLine("")).isEqualTo("all met");
      }
    } finally {
      UnicastRemoteObject.unexportObject(meeting, true);
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }
}
