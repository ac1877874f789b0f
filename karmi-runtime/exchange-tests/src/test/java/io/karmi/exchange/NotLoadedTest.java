package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.UnicastRemoteObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.junit.Test;

/** Who joins no space pays nothing for it. */
public class NotLoadedTest {
  /** A remote interface. */
  public interface Call extends Remote {
    /** Called once. */
    int call() throws RemoteException;
  }

  /** A program that calls and sends messages, and joins no space. */
  static final class PlainMain {
    private PlainMain() {}

    public static void main(String... arguments) throws RemoteException {
      Call stub = (Call) UnicastRemoteObject.exportObject((Call) () -> 7, 0);
      System.out.println("called " + stub.call() + Messaging.ofThisNode().address());
      System.exit(0);
    }
  }

  @Test
  public void programThatJoinsNoSpaceLoadsNoClassOfThePackage() throws Exception {
    Jvm.Result run =
        Jvm.java("-Xlog:class+load", "-cp", Jvm.classPath(), PlainMain.class.getName());
    assertThat(run.out()).contains("called 7", "io.karmi.messaging.NodeMessaging");
    assertThat(run.out().lines().filter(line -> line.contains("io.karmi.exchange.")))
        .allMatch(line -> line.contains(NotLoadedTest.class.getName()));
  }
}
