package io.karmi.benchmarks.stacks;

import io.karmi.technology.TechnologyProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Finds those of KaRMI's technologies that work on this machine. */
public final class Technologies {
  private Technologies() {}

  /** The stacks that can be measured here; each other one is named in a line with its reason. */
  public static List<Stack> usable(List<Stack> stacks, Place place, Consumer<String> lines)
      throws InterruptedException {
    Set<String> there = new TreeSet<>(List.of("tcp", "uds", "shm")); // of karmi.jar
    ServiceLoader.load(TechnologyProvider.class).forEach(provider -> there.add(provider.name()));
    List<Stack> usable = new ArrayList<>();
    for (Stack stack : stacks) {
      String reason = reasonAgainst(stack, there, place);
      if (reason.isEmpty()) {
        usable.add(stack);
      } else {
        lines.accept("%s is left out: %s".formatted(stack.title(), reason));
      }
    }
    return usable;
  }

  private static String reasonAgainst(Stack stack, Set<String> there, Place place)
      throws InterruptedException {
    if (stack.isLocal() && place.hosts().hosts().size() > 1) {
      return "it works within one host";
    }
    String technology = stack.technology();
    if (technology == null || technology.equals("tcp")) {
      return "";
    }
    if (!there.contains(technology)) {
      return "KaRMI has no technology " + technology + " here, only " + there;
    }
    return works(stack, technology, place);
  }

  /** A node goes on without a technology that cannot be opened, and logs it. */
  private static String works(Stack stack, String technology, Place place)
      throws InterruptedException {
    KernelName ping = new KernelName("ping()");
    try (Jvms jvms = Jvms.start(List.of(stack), place, ping).values().iterator().next()) {
      jvms.end();
      return jvms.hasPrinted("technology " + technology + " is not used")
          ? "the technology " + technology + " does not work on this machine"
          : "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
