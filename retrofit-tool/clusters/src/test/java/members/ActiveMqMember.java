package members;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import java.util.Arrays;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.command.ActiveMQObjectMessage;

/**
 * A client of a broker, which runs in the member whose port is 0. All members share a queue: {@code
 * get} takes a message from it.
 */
final class ActiveMqMember implements Member {
  private static final long DEADLINE_MILLIS = 60_000;
  private static final String QUEUE = "values";

  private final Session session;

  ActiveMqMember(int port) throws Exception {
    int brokersPort = port;
    if (port == 0) {
      BrokerService broker = new BrokerService();
      broker.setPersistent(false);
      broker.setUseJmx(false);
      broker.setAdvisorySupport(false);
      broker.addConnector("tcp://127.0.0.1:0");
      broker.start();
      brokersPort = broker.getTransportConnectors().get(0).getUri().getPort();
      System.out.println("port " + brokersPort);
    }
    ActiveMQConnectionFactory factory =
        new ActiveMQConnectionFactory("tcp://127.0.0.1:" + brokersPort);
    factory.setTrustedPackages(
        Arrays.asList("members", "java.lang", "java.util", "java.math", "java.time"));
    factory.setWatchTopicAdvisories(false);
    Connection connection = factory.createConnection();
    connection.start();
    session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public String put(Value value) throws JMSException {
    session.createProducer(session.createQueue(QUEUE)).send(session.createObjectMessage(value));
    return QUEUE;
  }

  @Override
  public Object get(String key) throws JMSException {
    try (MessageConsumer consumer = session.createConsumer(session.createQueue(key))) {
      ObjectMessage message = (ObjectMessage) consumer.receive(DEADLINE_MILLIS);
      return message == null ? null : message.getObject();
    }
  }

  @Override
  public void process(String key) throws JMSException {
    put(((Value) get(key)).next());
  }

  @Override
  public boolean isWhole() {
    return true;
  }

  @Override
  public boolean isAlone() {
    return true; // nothing is asked of the one that has ended
  }

  @Override
  public byte[] serialized(Value value) throws JMSException {
    ActiveMQObjectMessage message = (ActiveMQObjectMessage) session.createObjectMessage(value);
    message.storeContent();
    return message.getContent().getData();
  }
}
