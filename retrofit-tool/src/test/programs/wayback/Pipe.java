package wayback;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * A parent and the child process that it starts, which exchange objects over the child's standard
 * streams: {@code Pipe} is the child, {@code Pipe COMMAND} the parent.
 */
public final class Pipe {
  private Pipe() {}

  private record Command(int number, Object argument) implements java.io.Serializable {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      serve();
      return;
    }
    Process child =
        new ProcessBuilder(Arrays.asList(args))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ObjectOutputStream out =
        new ObjectOutputStream(new BufferedOutputStream(child.getOutputStream()));
    out.flush();
    ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(child.getInputStream()));
    Graphs graphs = new Graphs(new Random(5));
    for (int i = 0; i < 100; i++) {
      Command sent = new Command(i, graphs.any());
      out.writeUnshared(sent);
      out.flush();
      out.reset();
      Command answer = (Command) in.readObject();
      System.out.println(answer.number() + " " + Shown.of(answer.argument()));
    }
    out.close();
    System.out.println("child ends with " + child.waitFor());
  }

  private static void serve() throws Exception {
    ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(System.out));
    out.flush();
    ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(System.in));
    while (true) {
      Command command;
      try {
        command = (Command) in.readObject();
      } catch (java.io.EOFException e) {
        return;
      }
      out.writeObject(new Command(command.number() * 2, command.argument()));
      out.flush();
      out.reset();
    }
  }
}
