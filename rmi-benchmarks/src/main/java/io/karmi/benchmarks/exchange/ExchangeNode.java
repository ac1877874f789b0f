package io.karmi.benchmarks.exchange;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import com.esotericsoftware.kryo.kryo5.util.DefaultInstantiatorStrategy;
import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.exchange.ExchangeSpace;
import io.karmi.exchange.Group;
import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.server.ExchangeServer;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.Naming;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An owner or a reader in a JVM of its own. */
public final class ExchangeNode implements CommandedJvm.Program {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final UkaOptions SLIM =
      new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.SLIM);

  private final Kryo kryo = new Kryo();
  private @Nullable ExchangeSpace space;
  private @Nullable Address owner;
  private @Nullable Object made;
  private byte @Nullable [] bytes;
  private @Nullable Group<Object> put;
  private @Nullable Group<Object> held;
  private @Nullable Output kryoOut;
  private @Nullable Input kryoIn;
  private @Nullable UkaObjectOutputStream ukaOut;
  private @Nullable UkaObjectInputStream ukaIn;
  private @Nullable ServerSocket listening;

  private ExchangeNode() {
    kryo.setRegistrationRequired(false);
    kryo.setReferences(true);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
  }

  /** Executes commands until its input ends. */
  public static void main(String... arguments) throws Exception {
    ExchangeNode node = new ExchangeNode();
    CommandedJvm.serve(node);
    if (node.space != null) {
      node.space.close();
    }
    System.exit(0);
  }

  @Override
  public void prepare(String... words) throws IOException {
    if (List.of("put", "send", "offer").contains(words[0])) {
      made = ExchangePayload.valueOf(words[1]).create();
    } else if (words[0].equals("again")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (UkaObjectOutputStream stream = new UkaObjectOutputStream(out, SLIM)) {
        stream.writeObject(made);
      }
      bytes = out.toByteArray();
      made = null;
    }
  }

  @Override
  public String execute(String... words) throws Exception {
    switch (words[0]) {
      case "serve" -> {
        ExchangeServer.start(Integer.parseInt(words[1]));
        Messaging.ofThisNode().answer(String.class, (request, from) -> some(made));
      }
      case "join" -> {
        space = ExchangeSpace.join(words[1]);
        owner = Address.of(Naming.lookup(words[1]));
      }
      case "put" -> {
        return put(some(made));
      }
      case "get" -> {
        try (Group<Object> group = joined().get(GroupAddress.parse(words[1]))) {
          made = group.copy();
        }
      }
      case "again" -> {
        ByteArrayInputStream in = new ByteArrayInputStream(some(bytes));
        made = new UkaObjectInputStream(in, SLIM).readObject();
      }
      case "fetch" -> held = joined().get(GroupAddress.parse(words[1]));
      case "make" -> {
        made = some(held).copy();
        some(held).close();
      }
      case "hold" -> {
        held = joined().get(GroupAddress.parse(words[1]));
        some(held).object();
      }
      case "offer" -> {
        /* It is prepared. */
      }
      case "request" -> made = Messaging.ofThisNode().request("value", some(owner)).get();
      case "rank" -> {
        return put(ranks((List<?>) some(held).object()));
      }
      case "read" -> {
        try (Group<Object> group = joined().get(GroupAddress.parse(words[1]))) {
          made = group.object();
        }
      }
      case "calls" -> {
        return String.valueOf(joined().counters().get("directoryCalls"));
      }
      case "free" -> {
        made = null;
        if (put != null) {
          put.close();
        }
      }
      case "listen" -> {
        listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        return String.valueOf(listening.getLocalPort());
      }
      case "accept" -> {
        Socket forKryo = accept();
        Socket forUka = accept();
        kryoOut = new Output(forKryo.getOutputStream(), BUFFER_BYTES);
        ukaOut = new UkaObjectOutputStream(forUka.getOutputStream(), SLIM);
        ukaOut.flush();
      }
      case "connect" -> {
        int port = Integer.parseInt(words[1]);
        kryoIn = new Input(connect(port).getInputStream(), BUFFER_BYTES);
        ukaIn = new UkaObjectInputStream(connect(port).getInputStream(), SLIM);
      }
      case "send" -> send(words[2].equals("KRYO"));
      case "receive" -> made = receive(words[1].equals("KRYO"));
      default -> throw new IllegalArgumentException(words[0]);
    }
    return "";
  }

  private String put(Object root) throws IOException {
    Group<Object> group = joined().put(root);
    put = group;
    return group.address() + " " + group.lengthBytes();
  }

  private static Map<Object, Double> ranks(List<?> urls) {
    Map<Object, Double> ranks = new HashMap<>();
    for (Object url : urls) {
      ranks.put(url, Math.random());
    }
    return ranks;
  }

  private static <T> T some(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("a command came too early");
    }
    return value;
  }

  private ExchangeSpace joined() {
    return some(space);
  }

  private Socket accept() throws IOException {
    Socket socket = some(listening).accept();
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static Socket connect(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private void send(boolean byKryo) throws IOException {
    if (byKryo) {
      kryo.writeClassAndObject(some(kryoOut), made);
      some(kryoOut).flush();
    } else {
      some(ukaOut).writeObject(made);
      some(ukaOut).resetObjects();
      some(ukaOut).flush();
    }
  }

  private Object receive(boolean byKryo) throws Exception {
    return byKryo ? kryo.readClassAndObject(some(kryoIn)) : some(ukaIn).readObject();
  }
}
