package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.applications.Hamming;
import io.karmi.benchmarks.applications.Multipliers;
import io.karmi.benchmarks.applications.ParaffinMolecules;
import io.karmi.benchmarks.applications.Paraffins;
import io.karmi.benchmarks.applications.Sor;
import io.karmi.benchmarks.applications.SorWorkers;
import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.measure.Use;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client's JVM: looks the servers up, and prints a {@link Measurement} for each {@link Task} that
 * it reads.
 *
 * <p>Arguments: its number among the clients, from 0 on, and the address of each server's registry,
 * {@code host:port}. Client 0 stops the servers when it has no more tasks. The kernels are those of
 * {@link Pings}, {@code pingpong(X)}, {@code void pingpong(X)}, {@code star(X) from N}, {@code
 * fresh ping()}, and the applications on several workers, {@code hamming on N}, {@code paraffins on
 * N} and {@code sor on N}.
 */
public final class KernelClient {
  private static final Pattern STAR = Pattern.compile("star(\\(.*\\)) from ([1-9]\\d?)");
  private static final Pattern APPLICATION =
      Pattern.compile("(hamming|paraffins|sor)( on ([1-9]\\d?))?");
  private static final String FRESH = "fresh ";
  private static final String PING_PONG = "pingpong(";
  private static final String VOID_PING_PONG = "void pingpong(";

  private final List<Registry> servers;
  private final Ping ping;
  private @Nullable PongServer pong;

  private KernelClient(List<Registry> servers) throws RemoteException, NotBoundException {
    this.servers = servers;
    this.ping = (Ping) servers.get(0).lookup("ping");
  }

  public static void main(String[] args) throws Exception {
    List<Registry> servers = new ArrayList<>();
    List<Meter> meters = new ArrayList<>();
    for (String address : List.of(args).subList(1, args.length)) {
      int colon = address.lastIndexOf(':');
      Registry registry =
          LocateRegistry.getRegistry(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
      servers.add(registry);
      meters.add((Meter) registry.lookup("meter"));
    }
    KernelClient client = new KernelClient(servers);
    new Tasks(client::kernel, () -> use(meters)).serve(System.in, System.out);
    client.close();
    if (args[0].equals("0")) {
      meters.forEach(KernelClient::stop);
    }
  }

  private static Use use(List<Meter> meters) throws RemoteException {
    Use sum = new Use(0, 0);
    for (Meter meter : meters) {
      sum = sum.plus(meter.use());
    }
    return sum;
  }

  private static void stop(Meter meter) {
    try {
      meter.stop();
    } catch (RemoteException e) {
      /* The server is free to be gone before its answer is out. */
    }
  }

  private void close() throws RemoteException {
    if (pong != null) {
      UnicastRemoteObject.unexportObject(pong, true);
    }
  }

  private Kernel kernel(String name) throws Exception {
    Matcher application = APPLICATION.matcher(name);
    if (application.matches()) {
      String number = application.group(3);
      int workers = number == null ? 1 : Integer.parseInt(number);
      return application(name, application.group(1), workers);
    }
    Matcher star = STAR.matcher(name);
    if (star.matches()) {
      Kernel each = Pings.kernel(ping, "ping" + star.group(1));
      Barrier barrier = (Barrier) servers.get(0).lookup("barrier");
      return new Repeated.Star(name, each, barrier, Integer.parseInt(star.group(2)));
    }
    if (name.startsWith(FRESH)) {
      return new Repeated.Fresh(name, Pings.kernel(ping, name.substring(FRESH.length())));
    }
    return name.contains(PING_PONG) ? pingPong(name) : Pings.kernel(ping, name);
  }

  private Kernel application(String name, String application, int workers) throws Exception {
    return switch (application) {
      case "hamming" -> new Hamming(name, this.<Multipliers>lookup("hamming", workers));
      case "paraffins" -> new Paraffins(name, this.<ParaffinMolecules>lookup("paraffins", workers));
      default -> new Sor(name, this.<SorWorkers>lookup("sor", workers));
    };
  }

  @SuppressWarnings("unchecked")
  private <T extends Remote> List<T> lookup(String object, int workers) throws Exception {
    if (workers > servers.size()) {
      throw new IllegalArgumentException(
          workers + " workers are asked for, but there are " + servers.size());
    }
    List<T> objects = new ArrayList<>();
    for (Registry server : servers.subList(0, workers)) {
      objects.add((T) server.lookup(object));
    }
    return objects;
  }

  private Kernel pingPong(String name) throws RemoteException, NotBoundException {
    PongServer client = pong == null ? new PongServer() : pong;
    pong = client;
    PingPong server = ((PingPongs) ping).open(client);
    return name.startsWith(VOID_PING_PONG)
        ? new ObjectKernel(
            name,
            Pings.payload(name, VOID_PING_PONG),
            argument -> {
              server.takePingPong(argument);
              return null;
            },
            client::taken)
        : new ObjectKernel(name, Pings.payload(name, PING_PONG), server::pingPong, null);
  }
}
