package io.karmi.trust;

import io.karmi.Karmi;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Caller;
import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program whose server tells its callers who they are, and lets them do less than they want. */
public final class Identified {
  /** Kept from the collector. */
  private static final List<Remote> KEPT = new ArrayList<>();

  private Identified() {}

  /** What is called. */
  public interface Service extends Remote {
    /** Who calls. */
    String whoAmI() throws RemoteException;

    /** Asks the caller who calls him. */
    String askBack(Service caller) throws RemoteException;

    /** What strangers may not call. */
    Object secret(Object argument) throws RemoteException;

    /** What makes the authorizer fail. */
    void undecided() throws RemoteException;

    /** Calls another object of the same JVM. */
    String inside() throws RemoteException;
  }

  /** Says when it is read. */
  public static final class Loud implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      System.out.println("gadget");
    }
  }

  private static final class Served implements Service {
    @Override
    public String whoAmI() {
      return describe(Karmi.caller());
    }

    @Override
    public String askBack(Service caller) throws RemoteException {
      return caller.whoAmI() + " asked by " + describe(Karmi.caller());
    }

    @Override
    public Object secret(Object argument) {
      return argument;
    }

    @Override
    public void undecided() {}

    @Override
    public String inside() throws RemoteException {
      try {
        Service other = new Served();
        KEPT.add(other);
        return ((Service) UnicastRemoteObject.exportObject(other, 0)).whoAmI()
            + " inside "
            + describe(Karmi.caller());
      } catch (RemoteException e) {
        return e.toString();
      }
    }
  }

  private static String describe(Optional<Caller> caller) {
    return caller
        .map(
            who ->
                who.node()
                    + " "
                    + who.host()
                    + " "
                    + who.technology()
                    + " "
                    + who.principal().map(each -> each.getName()).orElse("nobody"))
        .orElse("none");
  }

  private static final class Guard implements CallAuthorizer {
    @Override
    public void check(Call call, Caller caller) throws AccessException {
      if (call.method().startsWith("undecided")) {
        throw new IllegalStateException("on purpose");
      }
      if (call.method().startsWith("secret")) {
        throw new AccessException("no secrets for " + caller.host() + ": " + call.method());
      }
    }
  }

  private static final class Onlooker implements CallInterceptor {
    @Override
    public Ended called(Call call, Map<String, String> header) {
      System.out.println("intercepted " + call.method() + " " + Karmi.caller().isPresent());
      return Ended.UNHEARD;
    }
  }

  /** One end: {@code serve [guarded]}, or {@code call <port>}. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      serve(arguments.length > 1);
    } else {
      call(Integer.parseInt(arguments[1]));
      System.exit(0);
    }
  }

  private static void serve(boolean guarded) throws Exception {
    if (guarded) {
      Karmi.add(new Guard());
    } else {
      Karmi.add(new Onlooker());
    }
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    Service served = new Served();
    KEPT.add(served);
    registry.bind("service", UnicastRemoteObject.exportObject(served, port));
    ObjectInputFilter any = info -> ObjectInputFilter.Status.UNDECIDED;
    try {
      Service filtered = new Served();
      KEPT.add(filtered);
      UnicastRemoteObject.exportObject(filtered, 0, any);
      System.out.println("filtered exported");
    } catch (RemoteException e) {
      System.out.println("filtered " + e.getCause());
    }
    System.out.println("outside " + describe(Karmi.caller()));
    System.out.println("node " + Node.current().id());
    System.out.println("port " + port);
    if (System.in.read() < 0) {
      System.exit(0);
    }
  }

  private interface Action {
    Object run() throws Exception;
  }

  private static void observe(String what, Action action) {
    try {
      System.out.println(what + " " + action.run());
    } catch (Exception e) {
      System.out.println(what + " threw " + e);
    }
  }

  private static void call(int port) throws Exception {
    System.out.println("node " + Node.current().id());
    Service service = (Service) LocateRegistry.getRegistry("127.0.0.1", port).lookup("service");
    observe("who", service::whoAmI);
    Service own = new Served();
    KEPT.add(own);
    Service stub = (Service) UnicastRemoteObject.exportObject(own, 0);
    observe("back", () -> service.askBack(stub));
    observe("inside", service::inside);
    observe("secret", () -> service.secret(new Loud()).getClass().getSimpleName());
    observe(
        "undecided",
        () -> {
          service.undecided();
          return "done";
        });
    observe("after", service::whoAmI);
    observe(
        "stock",
        () -> java.rmi.registry.LocateRegistry.getRegistry("127.0.0.1", port).list().length);
  }
}
