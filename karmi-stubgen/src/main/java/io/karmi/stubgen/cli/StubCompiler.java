package io.karmi.stubgen.cli;

import static java.util.stream.Collectors.joining;

import io.karmi.stubgen.emit.ClassFile;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.emit.GeneratedNames;
import io.karmi.stubgen.emit.JavaSource;
import io.karmi.stubgen.emit.ReachabilityMetadata;
import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassPath;
import io.karmi.stubgen.model.ClassView;
import io.karmi.stubgen.model.Problem;
import io.karmi.stubgen.model.RemoteCheck;
import io.karmi.stubgen.model.RemoteModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compiler of stubs and skeletons for remote interfaces, and for classes that implement some. */
final class StubCompiler {
  private final CompilerOptions settings;
  private final ClassPath classFiles;
  private final OutputFiles outputs;
  private final ReachabilityMetadata metadata = new ReachabilityMetadata();
  private final Set<Problem> problems = new LinkedHashSet<>();

  StubCompiler(CompilerOptions settings, ClassPath classFiles) {
    this.settings = settings;
    this.classFiles = classFiles;
    outputs = new OutputFiles(settings.target());
  }

  /**
   * Makes everything in memory.
   *
   * @return all problems; if one is an error, {@link #write} must not be called
   */
  List<Problem> compile() throws IOException {
    Map<String, List<ClassView>> lists = new LinkedHashMap<>(); // of interfaces, each once
    for (String name : settings.classNames()) {
      ClassView type = named(name);
      if (check(type)) {
        add(type, lists);
      }
    }
    for (Path path : settings.scanned()) {
      for (String name : Scan.classNames(path)) {
        ClassView type = classFiles.view(name);
        if (isRemote(type) && check(type)) {
          add(type, lists);
        }
      }
    }
    if (lists.isEmpty() && problems.isEmpty()) {
      String where = settings.scanned().stream().map(Path::toString).collect(joining(", "));
      problems.add(new Problem(false, where, null, "no remote interface: no stubs"));
    }
    for (List<ClassView> interfaces : lists.values()) {
      make(interfaces);
    }
    if (settings.nativeImage()) {
      outputs.add(ReachabilityMetadata.FILE, utf8(metadata.toJson()));
    }
    return new ArrayList<>(problems);
  }

  /**
   * Writes what {@link #compile} has made.
   *
   * @return the files that changed
   */
  List<Path> write() throws IOException {
    return outputs.write();
  }

  /** A class inside another may be named as in Java, with dots, as for rmic. */
  private ClassView named(String name) {
    String tried = name;
    int dot = tried.lastIndexOf('.');
    while (dot > 0 && !classFiles.isThere(tried)) {
      tried = tried.substring(0, dot) + '$' + tried.substring(dot + 1);
      dot = tried.lastIndexOf('.');
    }
    return classFiles.view(classFiles.isThere(tried) ? tried : name);
  }

  private boolean check(ClassView type) {
    List<Problem> found = RemoteCheck.of(type);
    problems.addAll(found);
    return found.stream().noneMatch(Problem::isError);
  }

  /** The interface itself, or all remote interfaces of a class together. */
  private static void add(ClassView type, Map<String, List<ClassView>> lists) {
    List<ClassView> interfaces = RemoteModel.remoteInterfacesOf(type);
    List<String> names = new ArrayList<>();
    for (ClassView each : interfaces) {
      names.add(each.name());
    }
    lists.putIfAbsent(String.join(" ", names), interfaces);
  }

  private boolean isRemote(ClassView type) {
    try {
      return (type.isInterface() || !type.isAbstract())
          && !isGenerated(type)
          && RemoteModel.hasRemoteInterface(type)
          && !RemoteModel.isSealed(type); // the program makes no stub of it either
    } catch (ClassFileException e) {
      problems.add(
          new Problem(false, type.place(), null, e.getMessage() + "; taken as not remote"));
      return false;
    }
  }

  private static boolean isGenerated(ClassView type) {
    ClassView superclass = type.superclass();
    return superclass != null && GeneratedNames.isOfGenerated(superclass.name());
  }

  private void make(List<ClassView> interfaces) {
    RemoteModel model = RemoteModel.ofInterfaces(interfaces);
    if (settings.classes()) {
      for (ClassFile part : Emitter.stub(model)) {
        addClass(part);
      }
      addClass(Emitter.skeleton(model));
    }
    if (settings.sources()) {
      addSource(GeneratedNames.stub(model), JavaSource.stub(model, interfaces));
      addSource(GeneratedNames.skeleton(model), JavaSource.skeleton(model, interfaces));
    }
    metadata.add(model, interfaces);
  }

  private void addClass(ClassFile part) {
    byte[] bytes = part.bytes().clone();
    bytes[6] = (byte) (settings.classFileVersion() >>> 8);
    bytes[7] = (byte) settings.classFileVersion();
    outputs.add(part.name().replace('.', '/') + ".class", bytes);
  }

  private void addSource(String name, String text) {
    outputs.add(name.replace('.', '/') + ".java", utf8(text));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
