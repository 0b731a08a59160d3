@main enum CupolaTool { static func main() {} }
