package io.karmi.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A process that may open few files, and has as many calls under way as with stock RMI. */
public class FewFilesTest {
  private static final int CALLERS = 100;

  /** A JVM needs some 20 for itself, and each call at least one. */
  private static final int FILES = 200;

  private static final List<String> FEW_FILES =
      List.of("/bin/sh", "-c", "ulimit -n " + FILES + " && exec \"$0\" \"$@\"");

  /** More than a connection over any network needs. */
  private static final int MOST_FILES_LEFT = 8;

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
      try (Jvm callers =
          Jvm.startBy(
              FEW_FILES,
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

  @Test
  public void calleeWithOneFileLeftOrMoreIsCalled() throws Exception {
    assumeTrue("files are counted", Files.exists(Path.of("/proc/self/limits")));
    List<Thread> guests = new ArrayList<>();
    try (Jvm callee = Jvm.startBy(FEW_FILES, CrowdedMain.class.getName())) {
      int port = Integer.parseInt(callee.awaitLine("port "));
      Room room = (Room) LocateRegistry.getRegistry("127.0.0.1", port).lookup("room");
      for (int i = 0; i < 1_000; i++) {
        room.look(); // calls go by shared memory by then
      }
      for (int left = 1; left <= MOST_FILES_LEFT; left++) {
        guests.add(guest(room)); // takes the open connection
        callee.ask(String.valueOf(left), "left ");
        room.look();
      }
      callee.kill();
    }
    for (Thread guest : guests) {
      guest.join(60_000);
    }
  }

  private static Thread guest(Room room) {
    Thread guest =
        new Thread(
            () -> {
              try {
                room.stay();
              } catch (RemoteException e) {
                // the callee has ended
              }
            });
    guest.start();
    return guest;
  }
}
