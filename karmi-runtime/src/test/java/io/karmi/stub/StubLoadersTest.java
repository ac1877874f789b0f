package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.marshal.JdkFormat;
import io.karmi.reference.Node;
import io.karmi.stubgen.emit.ClassFile;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.model.ReflectedClass;
import io.karmi.stubgen.model.RemoteModel;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Stubs for interfaces of all kinds of class loaders and modules. */
public class StubLoadersTest {
  private static final String GREETER =
      "package app; public interface Greeter extends java.rmi.Remote {"
          + " String greet(String name) throws java.rmi.RemoteException; }";
  private static final String HIDDEN_GREETER = GREETER.replace("public interface", "interface");
  private static final String GREETER_OBJECT =
      "package app; public class GreeterObject implements Greeter {"
          + " public String greet(String name) { return \"hello \" + name; } }";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Node node = new Node(List.of(new JdkFormat()));

  /** What is exported, which a node does not keep while no other one holds it. */
  private final List<Remote> exported = new ArrayList<>();

  @After
  public void closeNode() {
    node.close();
  }

  private Remote export(Class<?> implementation) throws Exception {
    Remote object = (Remote) implementation.getConstructor().newInstance();
    exported.add(object);
    StubType type = StubTypes.ofImplementation(implementation);
    return node.export(object, type.makeSkeleton(), type, 0, null).stub();
  }

  private static Object call(Remote stub, Class<?> type, String method, Object argument)
      throws Exception {
    for (Method each : type.getMethods()) {
      if (each.getName().equals(method)) {
        each.setAccessible(true);
        return each.invoke(stub, argument);
      }
    }
    throw new AssertionError("no method " + method);
  }

  private Remote exportGreeter(ClassLoader loader) throws Exception {
    Remote stub = export(loader.loadClass("app.GreeterObject"));
    assertThat(call(stub, loader.loadClass("app.Greeter"), "greet", "you")).isEqualTo("hello you");
    return stub;
  }

  @Test
  public void stubLivesBesideAnInterfaceThatIsNotPublic() throws Exception {
    ClassLoader loader =
        Compiled.of(HIDDEN_GREETER, GREETER_OBJECT).loader(getClass().getClassLoader());
    Remote stub = exportGreeter(loader);
    assertThat(stub).isInstanceOf(Stub.class);
    assertThat(stub.getClass().getClassLoader()).isSameAs(loader);
    assertThat(stub.getClass().getName()).isEqualTo("app.Greeter_KStub");
  }

  @Test
  public void loaderThatHidesKarmiGetsStubsFromALoaderOfTheirOwn() throws Exception {
    ClassLoader loader =
        Compiled.of(GREETER, GREETER_OBJECT).loader(ClassLoader.getPlatformClassLoader());
    Remote stub = exportGreeter(loader);
    assertThat(stub).isInstanceOf(Stub.class);
    assertThat(stub.getClass().getClassLoader()).isInstanceOf(StubLoader.class);
  }

  @Test
  public void loaderThatHidesKarmiFromItsOwnClassesGetsStubsFromALoaderOfTheirOwn()
      throws Exception {
    Remote stub = exportGreeter(hidingFromItsOwn(Compiled.of(GREETER, GREETER_OBJECT)));
    assertThat(stub).isInstanceOf(Stub.class);
    assertThat(stub.getClass().getClassLoader()).isInstanceOf(StubLoader.class);
  }

  @Test
  public void hiddenInterfaceWhoseLoaderHidesKarmiFromItsOwnClassesGetsAProxy() throws Exception {
    Remote stub = exportGreeter(hidingFromItsOwn(Compiled.of(HIDDEN_GREETER, GREETER_OBJECT)));
    assertThat(Proxy.isProxyClass(stub.getClass())).isTrue();
  }

  /** Looks at who asks, as loaders of OSGi do. */
  private ClassLoader hidingFromItsOwn(Compiled compiled) {
    return new ClassLoader(getClass().getClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = compiled.classes.get(name);
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
      }

      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("io.karmi.") && asker().getClassLoader() == this) {
          throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
      }

      private Class<?> asker() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .walk(
                frames ->
                    frames
                        .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(each -> !ClassLoader.class.isAssignableFrom(each))
                        .findFirst()
                        .orElseThrow());
      }
    };
  }

  @Test
  public void interfaceThatNobodyMayNameGetsAProxy() throws Exception {
    ClassLoader loader =
        Compiled.of(HIDDEN_GREETER, GREETER_OBJECT).loader(ClassLoader.getPlatformClassLoader());
    Remote stub = exportGreeter(loader);
    assertThat(Proxy.isProxyClass(stub.getClass())).isTrue();
  }

  @Test
  public void parameterTypesThatAreNotPublicAreNamedInTheirPackage() throws Exception {
    ClassLoader loader =
        Compiled.of(
                "package app; class Secret implements java.io.Serializable { int n; }",
                "package app; public interface Box extends java.rmi.Remote {"
                    + " Secret swap(Secret s) throws java.rmi.RemoteException; }",
                "package app; public class BoxObject implements Box {"
                    + " public Secret swap(Secret s) { return s; } }")
            .loader(getClass().getClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Remote stub = export(loader.loadClass("app.BoxObject"));
      assertThat(stub).isInstanceOf(Stub.class);
      var constructor = loader.loadClass("app.Secret").getDeclaredConstructor();
      constructor.setAccessible(true);
      Object secret = constructor.newInstance();
      assertThat(call(stub, loader.loadClass("app.Box"), "swap", secret))
          .isInstanceOf(secret.getClass())
          .isNotSameAs(secret);
    } finally {
      Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }
  }

  @Test
  public void interfacesOfSeveralLoadersMeetInOneStub() throws Exception {
    Compiled compiled =
        Compiled.of(
            GREETER,
            "package other; public interface Counter extends java.rmi.Remote {"
                + " int next(int n) throws java.rmi.RemoteException; }",
            "package impl; public class Both implements app.Greeter, other.Counter {"
                + " public String greet(String name) { return \"hello \" + name; }"
                + " public int next(int n) { return n + 1; } }");
    ClassLoader left = compiled.loader(ClassLoader.getPlatformClassLoader(), "app.Greeter");
    ClassLoader right = compiled.loader(ClassLoader.getPlatformClassLoader(), "other.Counter");
    Class<?> greeter = left.loadClass("app.Greeter");
    Class<?> counter = right.loadClass("other.Counter");
    byte[] bytes = compiled.classes.get("impl.Both");
    Class<?> both =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            return switch (name) {
              case "app.Greeter" -> greeter;
              case "other.Counter" -> counter;
              case "impl.Both" -> defineClass(name, bytes, 0, bytes.length);
              default -> throw new ClassNotFoundException(name);
            };
          }
        }.loadClass("impl.Both");
    Remote stub = export(both);
    assertThat(stub).isInstanceOf(Stub.class).isInstanceOf(greeter).isInstanceOf(counter);
    assertThat(call(stub, counter, "next", 41)).isEqualTo(42);
  }

  @Test
  public void classesMadeByKarmicAreUsed() throws Exception {
    Compiled compiled = Compiled.of(GREETER, GREETER_OBJECT);
    ClassLoader model = compiled.loader(getClass().getClassLoader());
    addGenerated(compiled, model.loadClass("app.Greeter"));
    ClassLoader loader = compiled.loader(getClass().getClassLoader());
    Remote stub = exportGreeter(loader);
    assertThat(stub.getClass()).isSameAs(loader.loadClass("app.Greeter_KStub"));
    assertThat(StubTypes.ofImplementation(loader.loadClass("app.GreeterObject")).makeSkeleton())
        .isInstanceOf(loader.loadClass("app.Greeter_KSkel"));
  }

  @Test
  public void classesMadeFromAnOlderInterfaceAreNotUsed() throws Exception {
    Compiled older = Compiled.of(GREETER.replace("greet(", "welcome("));
    Compiled compiled = Compiled.of(GREETER, GREETER_OBJECT);
    addGenerated(older, older.loader(getClass().getClassLoader()).loadClass("app.Greeter"));
    older.classes.remove("app.Greeter");
    compiled.classes.putAll(older.classes);
    ClassLoader loader = compiled.loader(getClass().getClassLoader());
    Remote stub = exportGreeter(loader);
    assertThat(stub.getClass().getClassLoader()).isInstanceOf(StubLoader.class);
  }

  private static void addGenerated(Compiled target, Class<?> type) {
    RemoteModel model = RemoteModel.of(new ReflectedClass(type));
    for (ClassFile each : Emitter.stub(model)) {
      target.classes.put(each.name(), each.bytes());
    }
    ClassFile skeleton = Emitter.skeleton(model);
    target.classes.put(skeleton.name(), skeleton.bytes());
  }

  @Test
  public void exportedPackageOfANamedModuleGetsStubs() throws Exception {
    Remote stub = exportGreeter(moduleLoader("module app { requires java.rmi; exports app; }"));
    assertThat(stub).isInstanceOf(Stub.class);
  }

  @Test
  public void openPackageOfANamedModuleGetsStubs() throws Exception {
    Remote stub = exportGreeter(moduleLoader("module app { requires java.rmi; opens app; }"));
    assertThat(stub).isInstanceOf(Stub.class);
  }

  private ClassLoader moduleLoader(String declaration) throws Exception {
    Path root = folder.newFolder().toPath();
    Map<String, byte[]> classes = Compiled.of(declaration, GREETER, GREETER_OBJECT).classes;
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      Path file = root.resolve(each.getKey().replace('.', '/') + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(ModuleFinder.of(root), ModuleFinder.of(), Set.of("app"));
    return boot.defineModulesWithOneLoader(configuration, getClass().getClassLoader())
        .findLoader("app");
  }

  @Test
  public void unexportedObjectsLeaveTheirLoaderToTheCollector() throws Exception {
    WeakReference<ClassLoader> left = exportAndForget();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (left.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(left.get()).isNull();
  }

  private WeakReference<ClassLoader> exportAndForget() throws Exception {
    ClassLoader loader = Compiled.of(GREETER, GREETER_OBJECT).loader(getClass().getClassLoader());
    Class<?> implementation = loader.loadClass("app.GreeterObject");
    Remote object = (Remote) implementation.getConstructor().newInstance();
    StubType type = StubTypes.ofImplementation(implementation);
    Remote stub = node.export(object, type.makeSkeleton(), type, 0, null).stub();
    assertThat(call(stub, loader.loadClass("app.Greeter"), "greet", "you")).isEqualTo("hello you");
    node.unexport(object, true);
    return new WeakReference<>(loader);
  }
}
