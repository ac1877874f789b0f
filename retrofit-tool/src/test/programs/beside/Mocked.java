package beside;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;

/** Each line is what Mockito makes of an interface, a class, a static method, a constructor. */
public class Mocked {
  /** A class that only inline mocks can stand for. */
  static final class Shop {
    private final Till till;

    Shop(Till till) {
      this.till = till;
    }

    static String motto() {
      return "fair";
    }

    int sell(Basket basket) throws Exception {
      return till.total(basket);
    }
  }

  static Object copied(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  static void ownClasses() throws Exception {
    Till till = mock(Till.class);
    when(till.total(any())).thenReturn(7);
    System.out.println("remote interface: " + new Shop(till).sell(new Basket()));
    verify(till, times(1)).total(any());
    Shop shop = mock(Shop.class);
    when(shop.sell(any())).thenReturn(8);
    System.out.println("final class: " + shop.sell(new Basket()));
    List<String> list = spy(new ArrayList<>(List.of("a")));
    when(list.size()).thenReturn(9);
    System.out.println("spy: " + list.size() + " " + list.get(0));
    try (MockedStatic<Shop> shops = mockStatic(Shop.class)) {
      shops.when(Shop::motto).thenReturn("cheap");
      System.out.println("static method: " + Shop.motto());
    }
    System.out.println("static method behind: " + Shop.motto());
    try (MockedConstruction<Shop> shops =
        mockConstruction(Shop.class, (each, context) -> when(each.sell(any())).thenReturn(10))) {
      System.out.println("constructor: " + new Shop(till).sell(new Basket()));
    }
    System.out.println("constructor behind: " + new Shop(till).sell(new Basket()));
  }

  static void calls() throws Exception {
    Till till = mock(Till.class);
    when(till.total(any())).thenAnswer(call -> call.<Basket>getArgument(0).total);
    Registry registry = LocateRegistry.createRegistry(0);
    registry.rebind("till", UnicastRemoteObject.exportObject(till, 0));
    Till stub = (Till) registry.lookup("till");
    System.out.println("exported: " + stub.total(new Basket().add("tea", 250)));
    verify(till, times(1)).total(any());
    UnicastRemoteObject.unexportObject(till, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }

  static void streams() throws Exception {
    List<?> list = mock(ArrayList.class, withSettings().serializable());
    when(list.size()).thenReturn(11);
    System.out.println("serializable: " + ((List<?>) copied(list)).size());
    ObjectInputStream in = mock(ObjectInputStream.class);
    when(in.readInt()).thenReturn(12);
    System.out.println("stream: " + in.readInt());
  }

  static String created() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeInt(1);
    }
    return bytes.size() == 0 ? "stubbed" : "a stream";
  }

  public static void main(String[] args) throws Exception {
    ownClasses();
    calls();
    streams();
    try (MockedConstruction<ObjectOutputStream> made = mockConstruction(ObjectOutputStream.class)) {
      System.out.println("constructor of a stream: " + created());
    }
    System.out.println("constructor of a stream behind: " + created());
    ownClasses();
  }
}
