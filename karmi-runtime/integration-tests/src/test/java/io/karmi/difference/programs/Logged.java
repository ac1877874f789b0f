package io.karmi.difference.programs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log of calls that a server asks for while it runs. */
public final class Logged implements Program {
  /** Logs the calls of itself. */
  public interface Journal extends Remote {
    boolean begin() throws RemoteException;

    boolean end() throws RemoteException;

    int half(int number) throws RemoteException;

    String written() throws RemoteException;
  }

  static final class JournalObject implements Journal {
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Override
    public boolean begin() {
      RemoteServer.setLog(log);
      return RemoteServer.getLog() != null;
    }

    @Override
    public boolean end() {
      RemoteServer.setLog(null);
      return RemoteServer.getLog() == null;
    }

    @Override
    public int half(int number) {
      if (number % 2 != 0) {
        throw new IllegalArgumentException(number + " is odd");
      }
      return number / 2;
    }

    @Override
    public String written() {
      return log.toString(StandardCharsets.UTF_8);
    }
  }

  private static final Pattern CALL =
      Pattern.compile("\\[([^]:]+): ([\\w.$]+)\\[[^]]*\\]: (.*)\\]");

  /** Static, so that no collector takes it. */
  private static JournalObject journal;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    journal = new JournalObject();
    LocateRegistry.createRegistry(port)
        .bind("journal", UnicastRemoteObject.exportObject(journal, 0));
    observed.accept("log: " + RemoteServer.getLog());
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Journal found = (Journal) LocateRegistry.getRegistry("localhost", port).lookup("journal");
    observed.accept("before: " + found.half(2));
    observed.accept("begun: " + found.begin());
    observed.accept("even: " + found.half(4));
    observed.accept("odd: " + Observe.outcome(() -> found.half(5)));
    observed.accept("ended: " + found.end());
    observed.accept("after: " + found.half(6));
    for (String line : found.written().split("\n")) {
      Matcher call = CALL.matcher(line);
      if (call.find() && call.group(2).equals(JournalObject.class.getName())) {
        observed.accept(
            call.group(3) + " called by " + call.group(1).replaceAll("^127\\..*", "us"));
      } else if (line.contains("] exception: ") || line.contains("is odd")) {
        observed.accept(line.replaceAll(".*\\] exception: *", "thrown: "));
      }
    }
  }
}
