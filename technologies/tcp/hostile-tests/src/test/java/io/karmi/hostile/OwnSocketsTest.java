package io.karmi.hostile;

import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Peers of a node with an {@code RMISocketFactory} of the program's own. */
public class OwnSocketsTest {
  private static final long LARGE = Methods.hash("large()[B");

  private static boolean isAtEnd(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  public void socketThatWaitsInItsCloseHoldsUpNoTimeLimitOfOthers() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (Jvm node =
        Jvm.start(
            "-Dkarmi.writeTimeout=300",
            "-Dkarmi.handshakeTimeout=500",
            OwnSocketsMain.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      try (RawPeer stubborn = RawPeer.introduced(new SocketDoor(port), 1, 2)) {
        stubborn.message(RawPeer.CALL, stubborn.request(object, LARGE).toArray());
        for (int i = 0; i < 6; i++) {
          Thread.sleep(500); // not awaited: some come before it has stalled, and some later
          silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        for (Socket each : silent) {
          each.setSoTimeout(100);
        }
        Deadline.await(
            "those that say nothing are closed",
            () -> silent.stream().allMatch(OwnSocketsTest::isAtEnd));
      }
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
  }
}
