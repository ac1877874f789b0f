package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.CommandedJvm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A JVM that sends or receives, or does both: see {@link MessagesStack}. */
public final class MessagesNode implements CommandedJvm.Program {
  private @Nullable MessageSender sender;

  private MessagesNode() {}

  /** Executes commands until its input ends. */
  public static void main(String... arguments) {
    CommandedJvm.serve(new MessagesNode());
    System.exit(0);
  }

  @Override
  public String execute(String... words) throws Exception {
    return switch (words[0]) {
      case "serve" -> MessagesStack.Kind.valueOf(words[1]).receiver.call();
      case "open" -> {
        sender = MessagesStack.Kind.valueOf(words[1]).sender.open(words[2]);
        yield "";
      }
      default -> run(MessageKernel.valueOf(words[1]), Long.parseLong(words[2]));
    };
  }

  /** How many messages were sent, and their times; nothing where the kernel makes no sense. */
  private String run(MessageKernel kernel, long millis) throws Exception {
    MessageSender opened = Objects.requireNonNull(sender, "not opened");
    if (!opened.runs(kernel)) {
      return "";
    }
    MessageKernel.Outcome outcome = kernel.run(opened, millis);
    return outcome.count() + " " + outcome.times().toWords();
  }
}
