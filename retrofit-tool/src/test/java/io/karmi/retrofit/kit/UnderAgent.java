package io.karmi.retrofit.kit;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** JVMs under the agent of this build. */
public final class UnderAgent {
  private UnderAgent() {}

  /**
   * Starts {@code app.Main} with a port.
   *
   * @param folder for its classes and the agent's jar
   * @param heapMib most of its heap, in MiB
   */
  public static Jvm start(Path folder, int heapMib, String program, int port) throws IOException {
    return Jvm.start(
        Path.of(System.getProperty("java.home")),
        Sources.compile(folder.resolve("classes"), List.of(), program).toString(),
        "-javaagent:" + Jars.karmi(folder),
        "-Xmx" + heapMib + "m",
        "app.Main",
        Integer.toString(port));
  }
}
