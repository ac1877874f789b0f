package io.karmi.difference;

import io.karmi.connection.ConnectedTechnology;
import io.karmi.contract.TechnologyContract;
import io.karmi.difference.programs.Program;
import io.karmi.kit.Jvm;
import io.karmi.reference.Node;
import io.karmi.shm.ShmProvider;
import io.karmi.stubgen.model.RemoteModel;
import io.karmi.tcp.TcpProvider;
import io.karmi.uds.UdsProvider;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one end of a program runs on.
 *
 * @param stack one of those that {@link Launcher} knows
 * @param jdk the folder of its JDK
 * @param prefix the words of a command that executes the one behind it
 * @param options of the JVM
 */
record Side(String stack, Path jdk, List<String> prefix, List<String> options) {
  static final Side STOCK = new Side("stock", Jdks.own());
  static final Side KARMI = new Side("karmi", Jdks.own());

  Side(String stack, Path jdk) {
    this(stack, jdk, List.of(), List.of());
  }

  /** The same stack on another JDK. */
  Side on(Path otherJdk) {
    return new Side(stack, otherJdk, prefix, options);
  }

  /** The same with one more option of the JVM. */
  Side with(String option) {
    List<String> more = new ArrayList<>(options);
    more.add(option);
    return new Side(stack, jdk, prefix, more);
  }

  Jvm start(String end, Class<? extends Program> program, int port) throws IOException {
    return start(end, List.of(program), List.of(port));
  }

  /** One end of several programs, one after the other; each has its port. */
  Jvm start(String end, List<? extends Class<? extends Program>> programs, List<Integer> ports)
      throws IOException {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of(Launcher.class.getName(), stack, end));
    for (int i = 0; i < programs.size(); i++) {
      arguments.addAll(List.of(programs.get(i).getName(), String.valueOf(ports.get(i))));
    }
    return Jvm.startBy(
        prefix,
        jdk,
        stack.equals("stock") ? classPathWithoutKarmi() : Jvm.classPath(),
        arguments.toArray(new String[0]));
  }

  /** What the programs need, and none of the modules that make up KaRMI. */
  private static String classPathWithoutKarmi() {
    Set<Path> karmi = new HashSet<>();
    for (Class<?> each :
        List.of(
            OutputBuffer.class,
            RemoteModel.class,
            Node.class,
            ConnectedTechnology.class,
            TcpProvider.class,
            UdsProvider.class,
            ShmProvider.class,
            TechnologyContract.class)) {
      karmi.add(Path.of(each.getProtectionDomain().getCodeSource().getLocation().getPath()));
    }
    return Arrays.stream(Jvm.classPath().split(File.pathSeparator))
        .filter(entry -> !karmi.contains(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
