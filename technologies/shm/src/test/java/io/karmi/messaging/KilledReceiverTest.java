package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A channel whose receiver's JVM is killed while it reads the third of five graphs. */
public class KilledReceiverTest {
  @Rule public final Timeout limit = Timeout.seconds(120);

  /** What the other JVM binds. */
  public interface Here extends Remote {
    /** Does nothing. */
    void isHere() throws RemoteException;
  }

  /** Its reading never ends. */
  static final class Endless implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      System.out.println("reading the third");
      while (true) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }
  }

  @Test
  public void failsTheHandlesFromThatGraphOnOverTcp() throws Exception {
    byMessages("tcp");
  }

  @Test
  public void failsTheHandlesFromThatGraphOnOverSharedMemory() throws Exception {
    byMessages("tcp,shm");
  }

  @Test
  public void failsTheHandlesFromThatGraphOnOverASocketOfTheProgram() throws Exception {
    try (Jvm jvm = Jvm.start(Main.class.getName(), "socket")) {
      int port = Integer.parseInt(jvm.awaitLine("port "));
      check(jvm, ObjectChannel.over(new Socket(InetAddress.getLoopbackAddress(), port)));
    }
  }

  private static void byMessages(String technologies) throws Exception {
    try (Jvm jvm =
        Jvm.start("-Dkarmi.technologies=" + technologies, Main.class.getName(), "messages")) {
      int port = Integer.parseInt(jvm.awaitLine("port "));
      Remote here = LocateRegistry.getRegistry("127.0.0.1", port).lookup("here");
      check(jvm, ObjectChannel.open(Address.of(here), "graphs"));
    }
  }

  private static void check(Jvm jvm, ObjectChannel channel) throws Exception {
    List<SendHandle> handles = new ArrayList<>();
    handles.add(channel.writeAsync("first"));
    handles.add(channel.writeAsync("second"));
    handles.add(channel.writeAsync(new Endless()));
    handles.add(channel.writeAsync("fourth"));
    handles.add(channel.writeAsync("fifth"));
    jvm.awaitLine("reading the third");
    handles.get(0).await();
    handles.get(1).await();
    jvm.signal("KILL");
    for (SendHandle lost : handles.subList(2, 5)) {
      assertThatThrownBy(lost::await).isInstanceOf(LinkLostException.class);
    }
    assertThat(handles.get(0).isDone()).isTrue();
    assertThat(handles.get(1).isDone()).isTrue();
    assertThatThrownBy(() -> channel.write("sixth")).isInstanceOf(LinkLostException.class);
    assertThatThrownBy(channel::read).isInstanceOf(LinkLostException.class);
    channel.close();
  }

  /** The receiver. */
  public static final class Main implements Here {
    /** Who exports an object holds it: until the first lease, nothing else does. */
    private static final Main EXPORTED = new Main();

    /** Reads until it is killed. */
    public static void main(String[] arguments) throws Exception {
      if (arguments[0].equals("socket")) {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
          System.out.println("port " + server.getLocalPort());
          read(ObjectChannel.over(server.accept()));
        }
        return;
      }
      Messaging.ofThisNode().onChannel("graphs", Main::read);
      int port = FreePort.any();
      LocateRegistry.createRegistry(port)
          .rebind("here", UnicastRemoteObject.exportObject(EXPORTED, 0));
      System.out.println("port " + port);
      System.in.read();
    }

    private static void read(ObjectChannel channel) throws Exception {
      while (true) {
        channel.read();
      }
    }

    @Override
    public void isHere() {}
  }
}
