package io.karmi.exchange.server;

import io.karmi.Karmi;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that ends as by kill -9 in a call: of the method that it is started with, or that a line
 * of its input names, {@code method before} it is executed, or {@code method after} that and before
 * the answer.
 */
public final class HaltingServerMain implements CallInterceptor {
  /** When it ends. */
  private record Step(String method, boolean before) {
    static Step of(String line) {
      String[] words = line.split(" ");
      return new Step(words[0], words[1].equals("before"));
    }
  }

  private volatile @Nullable Step step;

  private HaltingServerMain() {}

  @Override
  public Ended called(Call call, Map<String, String> header) {
    Step next = step;
    if (next == null || !call.method().contains(next.method)) {
      return Ended.UNHEARD;
    }
    if (next.before) {
      Runtime.getRuntime().halt(9);
    }
    return problem -> Runtime.getRuntime().halt(9);
  }

  /** Takes steps; each is answered by {@code ends}. */
  private void read() {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    in.lines()
        .forEach(
            line -> {
              step = Step.of(line);
              System.out.println("ends " + line);
            });
  }

  /**
   * The program.
   *
   * @param arguments port; when it ends, as a line says it
   */
  public static void main(String... arguments) throws Exception {
    HaltingServerMain halting = new HaltingServerMain();
    halting.step = arguments.length < 2 ? null : Step.of(arguments[1]);
    Karmi.add(halting);
    Thread commands = new Thread(halting::read, "commands");
    commands.setDaemon(true);
    commands.start();
    KarmiExchange.main(arguments[0]);
  }
}
