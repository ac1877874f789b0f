package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** A reply for which its caller has no memory left, between two JVMs. */
public class RefusedReplyTest {
  /** What is called. */
  public interface Source extends Remote {
    /** As many numbers. */
    List<Integer> numbers(int count) throws RemoteException;
  }

  private static final class Numbers implements Source {
    @Override
    public List<Integer> numbers(int count) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        numbers.add(i * 1_000_003);
      }
      return numbers;
    }
  }

  /** The callee. */
  public static final class Server {
    private static final Numbers NUMBERS = new Numbers();

    private Server() {}

    /** Serves until its standard input ends. */
    public static void main(String[] arguments) throws Exception {
      int port = FreePort.any();
      UnicastRemoteObject.exportObject(NUMBERS, port);
      LocateRegistry.createRegistry(port).bind("numbers", NUMBERS);
      System.out.println("port " + port);
      while (System.in.read() >= 0) {
        continue;
      }
      System.exit(0);
    }
  }

  /** The caller, whose budget is small. */
  public static final class Client {
    private Client() {}

    /** Calls the server at a port. */
    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[0]);
      Source source = (Source) LocateRegistry.getRegistry("127.0.0.1", port).lookup("numbers");
      for (int i = 0; i < 3; i++) {
        try {
          source.numbers(1_000_000);
          System.out.println("read");
        } catch (UnmarshalException e) {
          System.out.println("refused: " + e.getMessage().replaceAll("\\s+", " "));
        }
        System.out.println("few: " + source.numbers(1000).size());
      }
      System.exit(0);
    }
  }

  @Test
  public void callerIsToldAndCallsAgain() throws Exception {
    try (Jvm server = Jvm.start(Server.class.getName())) {
      String port = server.awaitLine("port ");
      try (Jvm client =
          Jvm.start("-Dkarmi.maxUnfinishedBytes=4000000", Client.class.getName(), port)) {
        for (int i = 0; i < 3; i++) {
          assertThat(client.awaitLine("refused: "))
              .contains("error unmarshalling return")
              .contains("of 4000000 bytes (karmi.maxUnfinishedBytes)");
          assertThat(client.awaitLine("few: ")).isEqualTo("1000");
        }
      }
    }
  }
}
