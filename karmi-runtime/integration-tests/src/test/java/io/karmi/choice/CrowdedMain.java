package io.karmi.choice;

import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Serves calls that do not end; for each of them leaves itself as many files as it is told. */
public final class CrowdedMain {
  private static final CountDownLatch END = new CountDownLatch(1);
  private static final Semaphore CAME = new Semaphore(0);

  /** Strongly referenced, as long as it serves. */
  private static final Room ROOM =
      new Room() {
        @Override
        public void look() {}

        @Override
        public void stay() {
          CAME.release();
          try {
            END.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      };

  private CrowdedMain() {}

  /** Serves until its standard input ends. */
  public static void main(String[] arguments) throws Exception {
    int port = FreePort.any();
    UnicastRemoteObject.exportObject(ROOM, 0);
    LocateRegistry.createRegistry(port).bind("room", ROOM);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    /* Without a file for its class a thread ends, and what that prints divides other lines. */
    Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {});
    Deque<FileInputStream> taken = new ArrayDeque<>();
    System.out.println("port " + port);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      CAME.acquire();
      takeAll(taken);
      for (int left = Integer.parseInt(line); left > 0; left--) {
        taken.removeLast().close();
      }
      System.out.println("left " + line);
    }
    END.countDown();
    System.exit(0);
  }

  private static void takeAll(Deque<FileInputStream> taken) {
    try {
      while (true) {
        taken.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      System.out.println("taken " + taken.size());
    }
  }
}
