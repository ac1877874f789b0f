package io.karmi.stub;

import io.karmi.id.RemoteInterface;
import io.karmi.reference.ClientRef;
import io.karmi.reference.InterfaceFilter;
import io.karmi.reference.Skeleton;
import io.karmi.reference.StubFactory;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.emit.GeneratedNames;
import io.karmi.stubgen.model.ReflectedClass;
import io.karmi.stubgen.model.RemoteMethod;
import io.karmi.stubgen.model.RemoteModel;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One list of remote interfaces with its stubs and skeletons.
 *
 * <p>Classes are looked for or generated when the first stub or skeleton is asked for: a client
 * needs no skeleton, a server may never need a stub class of its own. Thread-safe.
 */
public final class StubType implements StubFactory {

  /** In their order; not to be changed. */
  final Class<?>[] interfaces;

  private final RemoteModel model;
  private final RemoteInterface methods;
  private final GeneratedCode code;
  private final boolean lasting;
  private volatile @Nullable Constructor<?> stubConstructor;
  private volatile @Nullable Constructor<?> skeletonConstructor;
  private volatile boolean reflective;

  /**
   * @param ofPeer whether a peer has named them, so that the classes must be ones that can go again
   */
  StubType(boolean ofPeer, Class<?>... interfaces) {
    this.interfaces = interfaces;
    model = RemoteModel.ofInterfaces(ReflectedClass.all(interfaces));
    methods = describe(model);
    methods.filterResults(InterfaceFilter.ofResults(interfaces));
    code = new GeneratedCode(ofPeer, interfaces, model);
    lasting = ofPeer && !code.canPass();
  }

  private static RemoteInterface describe(RemoteModel model) {
    List<RemoteMethod> methods = model.methods();
    String[] signatures = new String[methods.size()];
    String[] declarers = new String[methods.size()];
    for (int i = 0; i < signatures.length; i++) {
      signatures[i] = methods.get(i).signature();
      declarers[i] = methods.get(i).declarer();
    }
    return new RemoteInterface(
        model.interfaces().toArray(new String[0]), signatures, declarers, model.methodHashes());
  }

  /** The methods by number. */
  public RemoteInterface remoteInterface() {
    return methods;
  }

  /** The first of the interfaces that no other class may implement, a stub neither; or null. */
  public @Nullable Class<?> sealedInterface() {
    for (Class<?> each : interfaces) {
      if (each.isSealed()) {
        return each;
      }
    }
    return null;
  }

  boolean isFor(Class<?>[] others) {
    return java.util.Arrays.equals(interfaces, others);
  }

  /** Whether a peer has named this list, and the classes made for it cannot be unloaded. */
  boolean isLasting() {
    return lasting;
  }

  /** Makes a stub; it implements all interfaces of this type. */
  @Override
  public Remote makeStub(ClientRef reference) {
    Constructor<?> constructor = stubConstructor();
    return constructor == null
        ? makeProxy(reference)
        : (Remote) instantiate(constructor, typed(reference));
  }

  private ClientRef typed(ClientRef reference) {
    return reference.forInterface(methods, code.home.getClassLoader());
  }

  private Remote makeProxy(ClientRef reference) {
    return (Remote)
        Proxy.newProxyInstance(
            code.home.getClassLoader(),
            interfaces,
            new RemoteObjectInvocationHandler(typed(reference)));
  }

  /** Makes stubs without a class of their own: dynamic proxies, here and wherever they get to. */
  public StubFactory proxies() {
    return new StubFactory() {
      @Override
      public Remote makeStub(ClientRef reference) {
        return makeProxy(reference);
      }

      @Override
      public Object formOf(Remote stub) {
        return stub;
      }
    };
  }

  @Override
  public Object formOf(Remote stub) {
    return stub instanceof Stub ? ((Stub) stub).form() : stub;
  }

  /** Makes a skeleton. */
  public Skeleton makeSkeleton() {
    Constructor<?> constructor = skeletonConstructor();
    return constructor == null
        ? new ReflectiveSkeleton(methods, interfaces, model.methods())
        : (Skeleton) instantiate(constructor, methods);
  }

  private static Object instantiate(Constructor<?> constructor, Object argument) {
    try {
      return constructor.newInstance(argument);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "cannot instantiate " + constructor.getDeclaringClass().getName(), e);
    }
  }

  private @Nullable Constructor<?> stubConstructor() {
    Constructor<?> known = stubConstructor;
    if (known == null && !reflective) {
      synchronized (this) {
        known = stubConstructor;
        if (known == null) {
          known =
              code.findOrDefine(
                  GeneratedNames.stub(model),
                  Stub.class,
                  ClientRef.class,
                  () -> Emitter.stub(model));
          stubConstructor = known;
          reflective = known == null;
        }
      }
    }
    return known;
  }

  private @Nullable Constructor<?> skeletonConstructor() {
    Constructor<?> known = skeletonConstructor;
    if (known == null && !reflective) {
      synchronized (this) {
        known = skeletonConstructor;
        if (known == null) {
          known =
              code.findOrDefine(
                  GeneratedNames.skeleton(model),
                  Skeleton.class,
                  RemoteInterface.class,
                  () -> List.of(Emitter.skeleton(model)));
          skeletonConstructor = known;
          reflective = known == null;
        }
      }
    }
    return known;
  }
}
