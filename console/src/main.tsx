import "./styles/console.css";
